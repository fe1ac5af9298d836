// One job's phases drawn to scale: a row for each partition, one for the whole job, time to the right. Empty and faint space is time in
// which nothing was done for that partition.
import { h, svg } from "./dom.js";
import { duration, tick, ticks } from "./format.js";

// In the order of a proof; the group gives the colour.
const kPhases = new Map([
  ["queue", "wait"], ["wait", "wait"], ["parse", "input"], ["validate", "input"], ["srs_load", "load"], ["synth", "synth"],
  ["prep_msm", "prep"], ["r1cs_eval", "eval"], ["ntt", "quotient"], ["msm_h", "batch"], ["msm_l", "tail"], ["msm_a", "tail"],
  ["msm_b_g1", "tail"], ["msm_b_g2", "g2"], ["assemble", "assemble"], ["verify", "verify"], ["journal", "release"],
  ["finish", "release"], ["release", "release"], ["overhead", "overhead"],
]);

const kAxis = 22;
const kLabel = 44;

function colour(phase) {
  return `phase-${kPhases.get(phase) || "other"}`;
}

// Bars of one row that overlap in time are drawn one above the other.
function lanes(spans) {
  const ends = [];
  const placed = spans.map((span) => {
    let lane = ends.findIndex((end) => end <= span.start_ms + 0.05);
    if (lane < 0) lane = ends.length;
    ends[lane] = span.start_ms + span.ms;
    return { span, lane };
  });
  return { placed, count: Math.max(1, ends.length) };
}

function rowsOf(job) {
  const rows = new Map();
  const needed = job.spans.some((span) => span.partition < 0) ? [-1] : [];
  for (let i = 0; i < job.partitions; ++i) needed.push(i);
  for (const partition of needed) rows.set(partition, []);
  for (const span of job.spans) {
    if (span.phase === "overhead") continue;  // what the others do not explain: a sum, which has no place in time
    if (!rows.has(span.partition)) rows.set(span.partition, []);
    rows.get(span.partition).push(span);
  }
  const sorted = [...rows.entries()].sort((x, y) => x[0] - y[0]);
  for (const [, spans] of sorted) spans.sort((x, y) => x.start_ms - y.start_ms);
  return sorted;
}

function barTitle(span) {
  const where = span.partition < 0 ? "whole job" : `partition ${span.partition}`;
  const worker = span.worker < 0 ? "" : `, worker ${span.worker}`;
  return `${span.phase}: ${duration(span.ms)} from ${duration(span.start_ms)}, ${where}${worker}`;
}

function bars(spans, top, height, scale) {
  const { placed, count } = lanes(spans);
  const laneHeight = height / count;
  return placed.map(({ span, lane }) =>
    svg("rect", {
      class: `bar ${colour(span.phase)}`,
      x: (kLabel + span.start_ms * scale).toFixed(2),
      y: (top + lane * laneHeight).toFixed(2),
      width: Math.max(0.8, span.ms * scale).toFixed(2),
      height: Math.max(0.8, laneHeight).toFixed(2),
    }, svg("title", {}, barTitle(span))));
}

function axis(end, plotWidth, scale, bottom) {
  return ticks(end, Math.max(2, Math.floor(plotWidth / 110))).map((at) => {
    const x = (kLabel + at * scale).toFixed(2);
    return svg("g", {}, svg("line", { class: "grid", x1: x, x2: x, y1: 0, y2: bottom }),
      svg("text", { class: "axis", x, y: bottom + 15, "text-anchor": at === 0 ? "start" : "middle" }, at === 0 ? "0" : tick(at)));
  });
}

// Sum of each phase over all partitions, in the order of a proof.
export function phaseTotals(job) {
  const totals = new Map([...kPhases.keys()].map((phase) => [phase, 0]));
  for (const span of job.spans) totals.set(span.phase, (totals.get(span.phase) || 0) + span.ms);
  return [...totals.entries()].filter(([, ms]) => ms > 0);
}

function legend(totals) {
  return h("ul", { class: "legend", "aria-label": "Time in each phase, all partitions together" }, totals.map(([phase, ms]) =>
    h("li", {}, h("i", { class: `key ${colour(phase)}`, "aria-hidden": "true" }), h("span", {}, phase), " ", h("b", {}, duration(ms)))));
}

// `width` in pixels; `elapsed` is where the axis ends for a job that still runs.
export function timeline(job, width, elapsed) {
  const end = Math.max(elapsed, 1, ...job.spans.map((span) => span.start_ms + span.ms));
  const rows = rowsOf(job);
  const rowHeight = rows.length <= 20 ? 16 : rows.length <= 50 ? 9 : 4;
  const gap = rowHeight > 8 ? 3 : 1;
  const bottom = rows.length * rowHeight + 4;
  const plotWidth = Math.max(60, width - kLabel - 12);
  const scale = plotWidth / end;
  const every = Math.ceil(13 / rowHeight) * (rowHeight < 8 ? 2 : 1);
  const drawn = rows.map(([partition, spans], i) => {
    const top = i * rowHeight + 2;
    const label = partition < 0 ? "job" : partition % every === 0 ? `${partition}` : "";
    return svg("g", {},
      svg("rect", { class: "track", x: kLabel, y: top, width: plotWidth, height: rowHeight - gap }),
      label && svg("text", { class: "axis", x: kLabel - 8, y: top + (rowHeight - gap) / 2 + 4, "text-anchor": "end" }, label),
      bars(spans, top, rowHeight - gap, scale));
  });
  const totals = phaseTotals(job);
  const spoken = totals.map(([phase, ms]) => `${phase} ${duration(ms)}`).join(", ");
  return h("div", { class: "timeline" },
    svg("svg", { width, height: bottom + kAxis, role: "img",
      "aria-label": `Phases over ${duration(end)}, ${rows.length} rows: ${spoken || "none yet"}` },
      axis(end, plotWidth, scale, bottom), drawn),
    legend(totals));
}
