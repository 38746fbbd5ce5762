/* The table of clauses: filters, keys, and a link that shows the same. */

const rows = all("#table tr[data-clause]");
const groups = all("#table tbody");
const controls = { search: find("#search"), suite: find("#suite"), level: find("#level"), chips: all(".chip") };
const texts = rows.map((row) => row.textContent.toLowerCase());
const wanted = { q: "", verdict: new Set(), suite: "", level: "", clause: "" };

const idOf = (row) => store.clauses[Number(row.dataset.clause)].id;
const summaryOf = (row) => find(".clause > summary", row);
const isFiltered = () => Boolean(wanted.q.trim() || wanted.verdict.size || wanted.suite || wanted.level);

function apply() {
  const matches = matcher(wanted.q);
  let shown = 0;
  rows.forEach((row, n) => {
    const { verdict, suite, level } = row.dataset;
    row.hidden = !(matches(texts[n]) && (!wanted.verdict.size || wanted.verdict.has(verdict))
      && (!wanted.suite || wanted.suite === suite) && (!wanted.level || wanted.level === level));
    shown += row.hidden ? 0 : 1;
  });
  for (const group of groups) group.hidden = !find("tr[data-clause]:not([hidden])", group);
  find("#table").hidden = shown === 0;
  find("#none").hidden = shown > 0;
  find("#clear").hidden = !isFiltered();
  find("#shown").textContent = shown === rows.length ? `All ${rows.length} clauses` : `${shown} of ${rows.length} clauses`;
}

function showControls() {
  if (controls.search.value !== wanted.q) controls.search.value = wanted.q;
  controls.suite.value = wanted.suite;
  controls.level.value = wanted.level;
  for (const chip of controls.chips) chip.setAttribute("aria-pressed", String(wanted.verdict.has(chip.dataset.verdict)));
}

function toHash() {
  const query = new URLSearchParams();
  if (wanted.q.trim()) query.set("q", wanted.q.trim());
  if (wanted.verdict.size) query.set("verdict", [...wanted.verdict].join(","));
  for (const key of ["suite", "level", "clause"]) if (wanted[key]) query.set(key, wanted[key]);
  try {
    history.replaceState(null, "", `${location.href.split("#")[0]}${String(query) ? `#${query}` : ""}`);
  } catch { /* a page inside another may not be allowed to; the filters work all the same */ }
}

function fromHash() {
  const text = location.hash.slice(1);
  if (!text.includes("=")) return; // a plain anchor
  const query = new URLSearchParams(text);
  wanted.q = query.get("q") ?? "";
  wanted.verdict = new Set((query.get("verdict") ?? "").split(",").filter((v) => controls.chips.some((c) => c.dataset.verdict === v)));
  for (const key of ["suite", "level", "clause"]) wanted[key] = query.get(key) ?? "";
  if (controls.suite.value = wanted.suite, controls.suite.value !== wanted.suite) wanted.suite = "";
  if (controls.level.value = wanted.level, controls.level.value !== wanted.level) wanted.level = "";
  showControls();
  apply();
  const row = wanted.clause && rows.find((one) => idOf(one) === wanted.clause);
  if (row) reveal(row);
  else if (wanted.suite) find("#clauses").scrollIntoView();
}

function reveal(row) {
  if (row.hidden) clear();
  find(".clause", row).open = true;
  showClause(row);
  summaryOf(row).focus({ preventScroll: true });
  row.scrollIntoView();
}

function changed() {
  showControls();
  apply();
  toHash();
}

function clear() {
  Object.assign(wanted, { q: "", verdict: new Set(), suite: "", level: "" });
  changed();
}

/** Move the focus to another clause that is shown; from the search it goes into the table. */
function move(step) {
  const shown = rows.filter((row) => !row.hidden).map(summaryOf);
  const here = shown.indexOf(document.activeElement);
  const to = step === "first" ? 0 : step === "last" ? shown.length - 1 : here + step;
  if (to < 0) controls.search.focus();
  else shown[Math.min(to, shown.length - 1)]?.focus();
}

const STEPS = { ArrowDown: 1, ArrowUp: -1, Home: "first", End: "last" };

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target;
  const types = target.matches("input, select, textarea");
  const inTable = target.matches(".clause > summary");
  if (event.key === "/" && !types) {
    event.preventDefault();
    controls.search.focus();
    controls.search.select();
  } else if (event.key === "Escape") {
    if (isFiltered()) clear();
    else target.blur();
  } else if (event.key in STEPS && (inTable || (target === controls.search && event.key === "ArrowDown"))) {
    event.preventDefault();
    move(STEPS[event.key]);
  }
}

for (const row of rows) {
  find(".clause", row).addEventListener("toggle", (event) => {
    if (event.target !== event.currentTarget) return; // a message within
    if (event.target.open) {
      showClause(row);
      wanted.clause = idOf(row);
    } else if (wanted.clause === idOf(row)) wanted.clause = "";
    toHash();
  });
}
for (const chip of controls.chips) {
  chip.addEventListener("click", () => {
    const { verdict } = chip.dataset;
    if (!wanted.verdict.delete(verdict)) wanted.verdict.add(verdict);
    changed();
  });
}
controls.search.addEventListener("input", () => { wanted.q = controls.search.value; changed(); });
for (const key of ["suite", "level"]) controls[key].addEventListener("change", () => { wanted[key] = controls[key].value; changed(); });
find("#clear").addEventListener("click", () => { clear(); controls.search.focus(); });
find("#filters").addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", onKey);
addEventListener("hashchange", fromHash);
paper.prepare = (details) => { if (details.classList.contains("clause")) showClause(details.closest("tr")); };
apply();
fromHash();
