// The parts of the page, each from the engine's figures.
import { h, width } from "./dom.js";
import { bytes, clock, count, duration, kind, plural, subject } from "./format.js";
import { timeline } from "./timeline.js";

function meter(label, parts, total, note) {
  const shares = parts.filter((part) => part.bytes > 0);
  return h("div", { class: "meter" },
    h("div", { class: "meter-head" }, h("span", {}, label), h("span", { class: "quiet" }, note)),
    h("div", { class: "meter-track", role: "img", "aria-label": `${label}: ${note}` },
      shares.map((part) => width(h("i", { class: part.class }), total > 0 ? part.bytes / total : 0))));
}

function badge(text, tone) {
  return h("span", { class: `badge ${tone || ""}` }, text);
}

function tile(label, value, note, tone) {
  return h("div", { class: `tile ${tone || ""}` }, h("div", { class: "tile-label" }, label), h("div", { class: "tile-value" }, value),
    h("div", { class: "quiet" }, note));
}

function total(kinds, member) {
  return kinds.reduce((sum, each) => sum + each[member], 0);
}

export function summary(status) {
  const failed = total(status.kinds, "failed");
  const memory = status.host_memory;
  const faults = status.self_check_failures;
  const share = memory.limit_bytes > 0 ? memory.used_bytes / memory.limit_bytes : 0;
  return [
    tile("Running", count(total(status.kinds, "in_progress")), `${plural(status.workers.filter((w) => w.job_id).length, "worker", "workers")} busy`),
    tile("Waiting", count(total(status.kinds, "pending")), `at most ${count(status.max_jobs)} jobs are accepted`),
    tile("Completed", count(total(status.kinds, "completed")), `since ${clock(status.started_at_ms)}, ${duration(status.uptime_ms)} ago`),
    tile("Failed", count(failed), `${count(total(status.kinds, "cancelled"))} cancelled`, failed > 0 ? "bad" : ""),
    tile("Faulty proofs caught", count(faults), `${plural(status.retries, "proof was", "proofs were")} made again`, faults > 0 ? "bad" : ""),
    h("div", { class: "tile" }, h("div", { class: "tile-label" }, "Host memory"), h("div", { class: "tile-value" }, bytes(memory.used_bytes)),
      h("div", { class: "meter-track", role: "img", "aria-label": `${Math.round(share * 100)} % of the limit is reserved` },
        width(h("i", { class: "used" }), share)),
      h("div", { class: "quiet" }, `reserved of ${bytes(memory.limit_bytes)}; process ${bytes(status.resident_set_bytes)}`)),
  ];
}

function jobHead(job, elapsed) {
  return h("div", { class: "job-head" },
    h("h3", {}, h("i", { class: `dot kind-${job.kind}`, "aria-hidden": "true" }), kind(job.kind), " ", h("span", { class: "quiet" }, bytes(job.sector_size))),
    h("span", {}, subject(job)), badge(job.state, "live"), job.priority !== "normal" && badge(`${job.priority} priority`),
    h("span", { class: "spring" }), h("span", { class: "number" }, duration(elapsed)));
}

export function runningJob(job, pixels, now) {
  const elapsed = Math.max(0, now - job.accepted_at_ms);
  const done = job.partitions > 0 ? job.partitions_done / job.partitions : 0;
  return h("article", { class: "card" }, jobHead(job, elapsed),
    h("div", { class: "progress-line" },
      h("div", { class: "meter-track", role: "progressbar", "aria-valuemin": 0, "aria-valuemax": job.partitions, "aria-valuenow": job.partitions_done,
        "aria-label": "Proofs done" }, width(h("i", { class: "used" }), done)),
      h("span", { class: "quiet number" }, `${job.partitions_done} of ${plural(job.partitions, "proof", "proofs")}`)),
    timeline(job, pixels, elapsed), h("div", { class: "id quiet" }, job.job_id));
}

export function queue(jobs, now) {
  if (jobs.length === 0) return h("p", { class: "empty" }, "No job is waiting.");
  return table(["", "Job", "Priority", "Waiting"], jobs.map((job, i) => [
    h("span", { class: "quiet number" }, `${i + 1}.`),
    [h("b", {}, kind(job.kind)), ` ${bytes(job.sector_size)} `, h("span", { class: "quiet" }, subject(job))],
    job.priority, [h("span", { class: "number" }, duration(Math.max(0, now - job.accepted_at_ms)))]]), "Jobs that wait, in their order");
}

export function workers(list, uptime) {
  if (list.length === 0) return h("p", { class: "empty" }, "The engine has no worker.");
  return list.map((worker) => {
    const isGpu = worker.memory_total_bytes > 0;
    const taken = Math.max(0, worker.memory_total_bytes - worker.memory_free_bytes - worker.memory.used_bytes);
    const share = uptime > 0 ? Math.min(1, worker.busy_ms / uptime) : 0;
    return h("article", { class: `card ${worker.usable ? "" : "card-bad"}` },
      h("div", { class: "job-head" }, h("h3", {}, worker.name || worker.backend), badge(worker.backend), h("span", { class: "spring" }),
        worker.usable ? badge(worker.job_id ? "busy" : "idle", worker.job_id ? "live" : "") : badge("out of use", "bad")),
      !worker.usable && h("p", { class: "bad-text" }, worker.unusable_because || "no reason was given"),
      h("p", {}, worker.job_id
        ? [h("b", {}, kind(worker.job_kind)), worker.partition >= 0 ? `, partition ${worker.partition}: ` : ": ", worker.phase || "between phases"]
        : h("span", { class: "quiet" }, worker.usable ? "Waits for work." : "Gets no work.")),
      isGpu && meter("Memory", [{ class: "used", bytes: worker.memory.used_bytes }, { class: "other", bytes: taken }], worker.memory_total_bytes,
        `${bytes(worker.memory.used_bytes)} reserved, ${bytes(worker.memory_free_bytes)} free of ${bytes(worker.memory_total_bytes)}`),
      h("p", { class: "quiet" }, `${plural(worker.proofs, "proof", "proofs")}${worker.faults > 0 ? `, ${count(worker.faults)} faulty` : ""}, busy ${Math.round(share * 100)} % of the time`),
      worker.uuid && h("div", { class: "id quiet" }, worker.uuid));
  });
}

function srsTone(circuit) {
  return { ready: "good", loading: "live", missing: "", invalid: "bad", refused: "bad" }[circuit.state] || "";
}

export function circuits(list) {
  if (list.length === 0) return h("p", { class: "empty" }, "The engine serves no circuit.");
  const order = { hot: 0, warm: 1, cold: 2 };
  const sorted = [...list].sort((x, y) => (x.state === "missing") - (y.state === "missing") || order[x.tier] - order[y.tier]);
  return table(["Circuit", "State", "Tier", "Size", "In use", "Loads", "Evictions", "Last load"], sorted.map((circuit) => [
    h("b", {}, circuit.circuit_id),
    [badge(circuit.state, srsTone(circuit)), circuit.reason && h("div", { class: "quiet reason" }, circuit.reason)],
    [h("i", { class: `tier tier-${circuit.tier}`, "aria-hidden": "true" }), circuit.tier, circuit.pinned && h("span", { class: "quiet" }, ", pinned")],
    h("span", { class: "number" }, circuit.size_bytes > 0 ? bytes(circuit.size_bytes) : "–"),
    h("span", { class: "number" }, count(circuit.users)), h("span", { class: "number" }, count(circuit.loads)),
    h("span", { class: "number" }, count(circuit.evictions)),
    h("span", { class: "number" }, circuit.last_load_ms > 0 ? duration(circuit.last_load_ms) : "–")]), "Parameters of each circuit");
}

const opened = new Set();

function errorOf(job) {
  const error = job.error;
  if (!error) return null;
  const details = h("details", { open: opened.has(job.job_id) },
    h("summary", { "data-focus": `error-${job.job_id}` }, badge(error.class, "bad"), h("span", { class: "reason" }, ` in ${error.phase}: ${error.message}`)),
    h("p", { class: "quiet" }, error.retryable ? "Trying again may help." : "Trying again will not help."),
    error.findings.length > 0 && h("ul", { class: "findings" }, error.findings.map((finding) => h("li", {}, finding.text))));
  details.addEventListener("toggle", () => (details.open ? opened.add(job.job_id) : opened.delete(job.job_id)));
  return details;
}

const kTones = { completed: "good", failed: "bad", cancelled: "" };

export function recent(jobs) {
  if (jobs.length === 0) return h("p", { class: "empty" }, "No job has ended yet. The last 50 will be listed here.");
  return table(["Ended", "Job", "Result", "Total", "Queue", "Load", "Synthesis", "Proving"], jobs.map((job) => [
    h("span", { class: "number" }, clock(job.finished_at_ms)),
    [h("i", { class: `dot kind-${job.kind}`, "aria-hidden": "true" }), h("b", {}, kind(job.kind)), ` ${bytes(job.sector_size)} `,
      h("span", { class: "quiet" }, subject(job)), h("div", { class: "id quiet" }, job.job_id)],
    [badge(job.state, kTones[job.state]), errorOf(job)],
    ...["total_ms", "queue_ms", "srs_ms", "synth_ms", "prove_ms"].map((member) => h("span", { class: "number" }, duration(job[member])))]),
  "The last jobs that ended, newest first");
}

function isNumber(cell) {
  return cell instanceof Element && cell.className === "number";
}

// A table that turns into cards on a narrow screen: each cell carries its heading, and figures stand side by side.
function table(heads, rows, caption) {
  return h("div", { class: "table card" }, h("table", {}, h("caption", { class: "spoken" }, caption),
    h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((cell, i) => h("td", { "data-head": heads[i], class: isNumber(cell) && "figure" }, h("div", {}, cell))))))));
}
