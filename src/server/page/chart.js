// Time of the last completed jobs, one mark a job, oldest to the left, on a logarithmic scale: a WinningPoSt and a PoRep differ by
// two orders of magnitude. Each kind has a colour and a shape of its own.
import { h, svg } from "./dom.js";
import { clock, duration, kind, subject, tick } from "./format.js";

const kHeight = 220;
const kMargin = { left: 62, right: 14, top: 12, bottom: 24 };
const kSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 3e4, 6e4, 12e4, 3e5, 6e5, 18e5, 36e5, 72e5, 18e6];
const kShapes = { porep: "square", window: "circle", winning: "triangle", update: "diamond", "update-poseidon": "diamond" };

function mark(kindName, x, y, attributes, ...children) {
  const r = 5;
  const paths = {
    square: `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
    circle: `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
    triangle: `M${x} ${y - r - 1}l${r + 1} ${2 * r}h${-2 * r - 2}z`,
    diamond: `M${x} ${y - r - 1.5}l${r + 1.5} ${r + 1.5}l${-r - 1.5} ${r + 1.5}l${-r - 1.5} ${-r - 1.5}z`,
  };
  return svg("path", { class: `mark kind-${kindName}`, d: paths[kShapes[kindName] || "circle"], ...attributes }, ...children);
}

function scaleOf(times) {
  const low = kSteps.filter((step) => step <= Math.min(...times)).pop() || kSteps[0];
  const high = kSteps.find((step) => step >= Math.max(...times)) || Math.max(...times);
  const bottom = Math.log(low === high ? low / 2 : low);
  const span = Math.log(high) - bottom || 1;
  const plot = kHeight - kMargin.top - kMargin.bottom;
  const y = (ms) => kMargin.top + plot * (1 - (Math.log(Math.max(ms, 0.1)) - bottom) / span);
  const inside = kSteps.filter((step) => step >= low && step <= high);
  const every = Math.ceil(inside.length / 6);
  return { y, steps: inside.filter((_, i) => i % every === 0 || i === inside.length - 1) };
}

function summary(jobs) {
  const kinds = [...new Set(jobs.map((job) => job.kind))];
  return h("ul", { class: "legend" }, kinds.map((name) => {
    const times = jobs.filter((job) => job.kind === name).map((job) => job.total_ms).sort((x, y) => x - y);
    return h("li", {}, svg("svg", { width: 14, height: 14, "aria-hidden": "true" }, mark(name, 7, 7)), h("span", {}, kind(name)), " ",
      h("b", {}, duration(times[Math.floor(times.length / 2)])), h("span", { class: "quiet" }, ` median of ${times.length}`));
  }));
}

export function chart(jobs, width) {
  const { y, steps } = scaleOf(jobs.map((job) => job.total_ms));
  const plot = width - kMargin.left - kMargin.right;
  const x = (i) => kMargin.left + (jobs.length === 1 ? plot / 2 : 8 + ((plot - 16) * i) / (jobs.length - 1));
  const grid = steps.map((step) => svg("g", {},
    svg("line", { class: "grid", x1: kMargin.left, x2: width - kMargin.right, y1: y(step), y2: y(step) }),
    svg("text", { class: "axis", x: kMargin.left - 8, y: y(step) + 4, "text-anchor": "end" }, tick(step))));
  const marks = jobs.map((job, i) => mark(job.kind, x(i), y(job.total_ms), {}, svg("title", {},
    `${kind(job.kind)} ${subject(job)}: ${duration(job.total_ms)}, ended ${clock(job.finished_at_ms)}`)));
  const ends = [0, jobs.length - 1].filter((i, n) => n === 0 || i > 0).map((i, n) => svg("text", {
    class: "axis", x: x(i), y: kHeight - 6, "text-anchor": jobs.length === 1 ? "middle" : n === 0 ? "start" : "end",
  }, clock(jobs[i].finished_at_ms)));
  return h("div", {},
    svg("svg", { width, height: kHeight, role: "img", "aria-label": `Total time of the last ${jobs.length} completed jobs` }, grid, ends, marks),
    summary(jobs));
}
