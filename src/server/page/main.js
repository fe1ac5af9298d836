// Asks the daemon for its figures each second and shows them.
import { h, render } from "./dom.js";
import { chart } from "./chart.js";
import { bytes, duration, plural } from "./format.js";
import * as sections from "./sections.js";

const kIntervalMs = 1000;
const kTimeoutMs = 5000;
const at = (id) => document.getElementById(id);

let last = null;
let failures = 0;

async function ask(path) {
  const response = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(kTimeoutMs) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

function innerWidth(element, padding) {
  return Math.max(240, Math.floor(element.getBoundingClientRect().width) - padding);
}

function showReadiness(status) {
  const tone = failures > 1 ? "bad" : status.ready ? "good" : "live";
  const text = failures > 1 ? "The daemon does not answer; these are its last figures." : status.readiness;
  render(at("readiness"), [tone, text], () => [h("i", { class: `lamp ${tone}`, "aria-hidden": "true" }), h("span", {}, text)]);
  document.body.classList.toggle("stale", failures > 1);
}

function showJobs(jobs, now) {
  const isFinal = (job) => ["completed", "failed", "cancelled"].includes(job.state);
  const running = jobs.filter((job) => !isFinal(job) && job.state !== "queued");
  const finished = jobs.filter(isFinal);
  const completed = finished.filter((job) => job.state === "completed").reverse();
  const pixels = innerWidth(at("running-jobs"), 42);
  render(at("running-jobs"), [running, pixels, running.length > 0 && now], () => running.length > 0
    ? running.map((job) => sections.runningJob(job, pixels, now))
    : h("p", { class: "empty" }, "Nothing is being proved right now."));
  const waiting = jobs.filter((job) => job.state === "queued");
  render(at("queue"), [waiting, waiting.length > 0 && Math.floor(now / 1000)], () => sections.queue(waiting, now));
  render(at("recent"), finished, () => sections.recent(finished));
  const chartWidth = innerWidth(at("chart"), 42);
  render(at("chart"), [completed, chartWidth], () => completed.length > 0
    ? chart(completed, chartWidth)
    : h("p", { class: "empty" }, "The times of completed jobs will be drawn here."));
}

function show() {
  const { status, jobs } = last;
  showReadiness(status);
  render(at("version"), status.version, () => h("span", {}, status.version));
  render(at("summary"), status, () => sections.summary(status));
  showJobs(jobs.jobs, jobs.now_ms);
  render(at("workers"), [status.workers, Math.floor(status.uptime_ms / 10_000)], () => sections.workers(status.workers, status.uptime_ms));
  render(at("circuits"), status.circuits, () => sections.circuits(status.circuits));
  const process = `up ${duration(status.uptime_ms)}, ${bytes(status.resident_set_bytes)} resident, ` +
    `${plural(status.recovered_jobs, "job", "jobs")} recovered at start`;
  render(at("process"), process, () => document.createTextNode(process));
  const unfinished = status.kinds.reduce((sum, each) => sum + each.pending + each.in_progress, 0);
  document.title = unfinished > 0 ? `(${unfinished}) cuzk` : "cuzk";
}

async function poll() {
  try {
    const [status, jobs] = await Promise.all([ask("/api/status.json"), ask("/api/jobs.json")]);
    last = { status, jobs };
    failures = 0;
    show();
  } catch (error) {
    ++failures;
    if (last) showReadiness(last.status);
    else if (failures > 1)
      render(at("readiness"), error.message, () => [h("i", { class: "lamp bad", "aria-hidden": "true" }), h("span", {}, "The daemon does not answer.")]);
  }
  setTimeout(poll, document.hidden ? 5 * kIntervalMs : kIntervalMs);
}

new ResizeObserver(() => last && show()).observe(document.body);
poll();
