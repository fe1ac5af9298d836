// Numbers as people read them.

export function bytes(count) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let i = 0;
  let value = count;
  while (value >= 1024 && i + 1 < units.length) {
    value /= 1024;
    ++i;
  }
  return `${i === 0 || value >= 100 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)} ${units[i]}`;
}

export function duration(ms) {
  if (ms < 1) return ms > 0 ? "<1 ms" : "0 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const two = (n) => String(n).padStart(2, "0");
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
  return `${Math.floor(minutes / 1440)} d ${Math.floor((minutes % 1440) / 60)} h`;
}

// A duration on an axis, where every figure is round.
export function tick(ms) {
  return duration(ms).replace(".0 s", " s").replace(/ 00 (s|min)$/, "");
}

export function clock(unixMs) {
  return new Date(unixMs).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
}

export function count(n) {
  return n.toLocaleString("en");
}

const kKinds = {
  porep: "PoRep",
  winning: "WinningPoSt",
  window: "WindowPoSt",
  update: "Update",
  "update-poseidon": "Update (Poseidon)",
};

export function kind(name) {
  return kKinds[name] || name;
}

export function plural(n, one, many) {
  return `${count(n)} ${n === 1 ? one : many}`;
}

// "f01000, sector 7", as far as the job has them.
export function subject(job) {
  const parts = [];
  if (job.miner_id) parts.push(`f0${job.miner_id}`);
  if (job.sector_number) parts.push(`sector ${job.sector_number}`);
  return parts.join(", ");
}

// Round steps for an axis: 1, 2 or 5 times a power of ten, about `wanted` of them up to `max`.
export function ticks(max, wanted) {
  if (!(max > 0)) return [0];
  const rough = max / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
  const found = [];
  for (let at = 0; at <= max * 1.0001; at += step) found.push(at);
  return found;
}
