#!/usr/bin/python3
"""Sends one vanilla proof to a cuzk daemon, waits for the proof, writes it or prints it.

    examples/python/generate
    examples/python/submit_proof.py --c1 c1.json --miner-id 1000 --sector-size 2KiB
    examples/python/submit_proof.py --kind winning --sector-size 32GiB --vanilla w.vproof --randomness HEX --miner-id 1000

It shows what any client has to do: the same request id in every attempt, so that a job is never done twice; the daemon's own hint for
when to try again; a wait in short calls; and an error that says whether trying again can help. Needs Debian's python3-grpcio and
python3-protobuf.

Exit codes: 0 the proof is there, 1 the job failed or was cancelled, 2 the input was refused, 3 no daemon, or it does not accept jobs.
"""
import argparse
import os
import sys
import time
import uuid

sys.path.insert(0, os.environ.get("CUZK_PYTHON_STUBS", os.path.join(os.path.dirname(os.path.abspath(__file__)), "generated")))

import grpc
from cuzk.v1 import proving_pb2 as api
from cuzk.v1 import proving_pb2_grpc as api_grpc

SIZES = {"2KiB": 1 << 11, "8MiB": 1 << 23, "512MiB": 1 << 29, "32GiB": 1 << 35, "64GiB": 1 << 36}
# The number of the first registered proof of each kind; those of the other sizes follow in the order of SIZES. docs/formats/grpc.md
KINDS = {
    "porep": (api.POREP_SEAL_COMMIT, 5),  # V1_1
    "winning": (api.WINNING_POST, 0),
    "window": (api.WINDOW_POST_PARTITION, 10),  # V1_2
    "update": (api.SNAP_DEALS_UPDATE, 0),
}
MAX_MESSAGE = 256 << 20
BAD_INPUT = (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.ALREADY_EXISTS, grpc.StatusCode.FAILED_PRECONDITION)
TRY_AGAIN = (grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.UNAVAILABLE)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def bytes32(text):
    value = bytes.fromhex(text)
    if len(value) != 32:
        raise argparse.ArgumentTypeError(f"{len(value)} bytes, 32 wanted")
    return value


def make_request(options):
    """The request of these options; reads the files."""
    kind, first_number = KINDS[options.kind]
    request = api.SubmitProofRequest(
        request_id=options.request_id or str(uuid.uuid4()),
        proof_kind=kind,
        sector_size=SIZES[options.sector_size],
        registered_proof=first_number + list(SIZES).index(options.sector_size)
        if options.registered_proof is None else options.registered_proof,
        miner_id=options.miner_id,
        sector_number=options.sector_number,
        partition_index=options.partition,
        randomness=options.randomness,
        comm_r_old=options.comm_r_old,
        comm_r_new=options.comm_r_new,
        comm_d_new=options.comm_d_new)
    if options.c1:
        request.vanilla_proof = read(options.c1)
    request.vanilla_proofs.extend(read(path) for path in options.vanilla)
    return request


def hint_seconds(error):
    """When the daemon wants to be asked again."""
    for key, value in error.trailing_metadata() or ():
        if key == "retry-after-ms" and value.isdigit():
            return min(int(value) / 1000, 60)
    return 1.0


def submit(stub, request, attempts):
    """The job's id. The request id makes it safe to send the same request again after an answer that was lost."""
    for attempt in range(attempts):
        try:
            return stub.SubmitProof(request, timeout=120).job_id
        except grpc.RpcError as error:
            if error.code() not in TRY_AGAIN or attempt + 1 == attempts:
                raise
            wait = hint_seconds(error)
            print(f"{error.details()}; again in {wait:.1f} s", file=sys.stderr)
            time.sleep(wait)


def wait_for(stub, job_id, seconds):
    """The job's end, or None when the time is up. Each call is short: a connection that breaks loses nothing."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        try:
            answer = stub.AwaitProof(
                api.AwaitProofRequest(job_id=job_id, timeout_ms=max(1, int(min(left, 10) * 1000))), timeout=60)
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.UNAVAILABLE:
                raise
            time.sleep(hint_seconds(error))  # the daemon restarts, and still knows the job
            continue
        if answer.status != api.AwaitProofResponse.TIMEOUT:
            return answer
    return None


def print_result(answer, wall_ms):
    print("=== Proof Result ===")
    print(f"status:    {api.AwaitProofResponse.Status.Name(answer.status)}")
    print(f"job_id:    {answer.job_id}")
    print(f"timings:   total={answer.total_ms} ms (queue={answer.queue_wait_ms} ms, srs={answer.srs_load_ms} ms, "
          f"synth={answer.synthesis_ms} ms, prove={answer.gpu_compute_ms} ms)")
    print(f"wall time: {wall_ms:.0f} ms")
    if answer.status == api.AwaitProofResponse.COMPLETED:
        print(f"proof:     {len(answer.proof)} bytes (hex: {answer.proof[:5].hex()}...")


def report_failure(answer):
    error = answer.error
    print(f"submit_proof: {error.error_class or 'failed'} in {error.phase or '?'}: {answer.error_message}"
          f"{'; trying again can help' if error.retryable else ''}", file=sys.stderr)
    for finding in error.findings:
        print(f"  {finding.text}", file=sys.stderr)


def connect(options):
    limits = [("grpc.max_send_message_length", MAX_MESSAGE), ("grpc.max_receive_message_length", MAX_MESSAGE)]
    if options.tls_ca:
        return grpc.secure_channel(options.server, grpc.ssl_channel_credentials(read(options.tls_ca)), limits)
    return grpc.insecure_channel(options.server, limits)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--server", default=os.environ.get("CUZK_SERVER", "127.0.0.1:9820"), help="host:port, or unix:/path")
    parser.add_argument("--tls-ca", help="PEM file of the authority that signed the daemon's certificate: use TLS")
    parser.add_argument("--kind", choices=KINDS, default="porep")
    parser.add_argument("--sector-size", choices=SIZES, required=True)
    parser.add_argument("--registered-proof", type=int, help="its number, if not that of the newest version")
    parser.add_argument("--c1", help="PoRep: the C1 file")
    parser.add_argument("--vanilla", nargs="+", default=[], help="PoSt: one file a sector; update: one a partition")
    parser.add_argument("--miner-id", type=int, default=0)
    parser.add_argument("--sector-number", type=int, default=0)
    parser.add_argument("--partition", type=int, default=0, help="WindowPoSt: which partition these sectors are")
    for name in ("randomness", "comm-r-old", "comm-r-new", "comm-d-new"):
        parser.add_argument("--" + name, type=bytes32, default=b"", metavar="HEX")
    parser.add_argument("--request-id", help="idempotency key (default: a random one)")
    parser.add_argument("--attempts", type=int, default=10, help="to submit, while the daemon is full")
    parser.add_argument("--timeout", type=float, default=3600, help="seconds to wait for the proof")
    parser.add_argument("--out", help="write the proof here")
    return parser.parse_args()


def main():
    options = parse_arguments()
    try:
        request = make_request(options)
    except OSError as error:
        print(f"submit_proof: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    begin = time.monotonic()
    try:
        with connect(options) as channel:
            stub = api_grpc.ProvingEngineStub(channel)
            job_id = submit(stub, request, options.attempts)
            answer = wait_for(stub, job_id, options.timeout)
            if answer is None:
                stub.CancelProof(api.CancelProofRequest(job_id=job_id), timeout=60)
                print(f"submit_proof: job {job_id} did not end in {options.timeout} s and was cancelled", file=sys.stderr)
                return 1
    except grpc.RpcError as error:
        print(f"submit_proof: {error.code().name}: {error.details()}", file=sys.stderr)
        return 2 if error.code() in BAD_INPUT else 3 if error.code() in TRY_AGAIN else 1
    print_result(answer, (time.monotonic() - begin) * 1000)
    if answer.status != api.AwaitProofResponse.COMPLETED:
        report_failure(answer)
        return 1
    if options.out:
        with open(options.out, "wb") as file:
            file.write(answer.proof)
    return 0


if __name__ == "__main__":
    sys.exit(main())
