// What every program owes its standard streams.
#pragma once

#include "base/status.h"

namespace cuzk {

// Call first thing in main. A stream that was closed gets a descriptor that can neither be written nor read, so that no file opened later
// has its number and receives what is printed. A file that grows over the limit of the process (ulimit -f) is an error from write() and
// not the end of the process.
void prepare_standard_streams();

// Whether everything printed to standard output has arrived: a full disk shows here and nowhere else.
Status flush_standard_output();

}  // namespace cuzk
