#include "engine/journal_json.h"

#include <nlohmann/json.hpp>

namespace cuzk {
namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json span_json(const PhaseSpan& span) {
  return {{"phase", span.phase},
          {"partition", span.partition},
          {"worker", span.worker},
          {"start_ms", span.start_ms},
          {"ms", span.ms}};
}

PhaseSpan span_of(const Json& json) {
  return {json.at("phase").get<std::string>(), json.at("partition").get<int>(), json.at("worker").get<int>(),
          json.at("start_ms").get<double>(), json.at("ms").get<double>()};
}

Json finding_json(const InputFinding& finding) {
  Json json = Json::object();
  if (finding.sector_id) json["sector"] = *finding.sector_id;
  if (finding.partition) json["partition"] = *finding.partition;
  if (finding.challenge) json["challenge"] = *finding.challenge;
  json["field"] = finding.field;
  json["expected"] = finding.expected;
  json["found"] = finding.found;
  json["text"] = finding.text;
  return json;
}

std::optional<std::uint64_t> number_of(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end()) return std::nullopt;
  return found->get<std::uint64_t>();
}

InputFinding finding_of(const Json& json) {
  return {number_of(json, "sector"),
          number_of(json, "partition"),
          number_of(json, "challenge"),
          json.at("field").get<std::string>(),
          json.at("expected").get<std::string>(),
          json.at("found").get<std::string>(),
          json.at("text").get<std::string>()};
}

template <typename T>
std::string list_to_json(const std::vector<T>& items, Json (*to_json)(const T&)) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(to_json(item));
  return dumped(list);
}

template <typename T>
Result<std::vector<T>> list_from_json(const char* what, std::string_view text, T (*from_json)(const Json&)) {
  std::vector<T> items;
  try {
    const Json list = Json::parse(text);
    if (!list.is_array()) return unavailable(std::string(what) + " are no JSON array");
    for (const Json& item : list) items.push_back(from_json(item));
  } catch (const Json::exception& error) {
    return unavailable(std::string(what) + " are not readable: " + error.what());
  }
  return items;
}

}  // namespace

std::string spans_to_json(const std::vector<PhaseSpan>& spans) {
  return list_to_json(spans, span_json);
}
std::string findings_to_json(const std::vector<InputFinding>& findings) {
  return list_to_json(findings, finding_json);
}
Result<std::vector<PhaseSpan>> spans_from_json(std::string_view text) {
  return list_from_json("spans", text, span_of);
}
Result<std::vector<InputFinding>> findings_from_json(std::string_view text) {
  return list_from_json("findings", text, finding_of);
}

}  // namespace cuzk
