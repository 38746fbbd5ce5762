"use strict";

/* What both pages do: choose a theme, filter long tables, open on paper what is closed on the screen. */

const find = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Return a new element; its children are nodes, or strings that become text and never markup. */
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  svg.append(document.createElementNS(space, "use"));
  svg.firstChild.setAttribute("href", `#icon.${name}`);
  return svg;
}

/** Return a test for texts that have every word of a query, in whatever case. */
function matcher(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => words.every((word) => text.includes(word));
}

/* A file's storage may be refused or shared with other files: it is a convenience and nothing more. */
function stored(value) {
  try {
    if (value === undefined) return localStorage.getItem("hive-gate-theme");
    localStorage.setItem("hive-gate-theme", value);
  } catch { /* then the theme is chosen again next time */ }
  return null;
}

const THEMES = ["system", "light", "dark"];

function useTheme(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  find(".theme span").textContent = theme;
}

function filterRows(box) {
  const [input, told] = [find("input", box), find("[role=status]", box)];
  const rows = all("tbody tr", box);
  const texts = rows.map((row) => row.textContent.toLowerCase());
  input.addEventListener("input", () => {
    const matches = matcher(input.value);
    let shown = 0;
    rows.forEach((row, n) => { row.hidden = !matches(texts[n]); shown += row.hidden ? 0 : 1; });
    told.textContent = shown === rows.length ? `${rows.length} rows` : `${shown} of ${rows.length} rows`;
  });
}

const opened = [];

/** Open what is printed; a page replaces `prepare` to draw what is drawn only on demand. */
const paper = { prepare: () => {} };
addEventListener("beforeprint", () => {
  for (const details of all("details.prints:not([open])")) {
    opened.push(details);
    details.open = true;
    paper.prepare(details);
  }
});
addEventListener("afterprint", () => { for (const details of opened.splice(0)) details.open = false; });

all(".scripted").forEach((element) => { element.hidden = false; });
all(".scriptless").forEach((element) => element.remove());
all(".rows:has(.search)").forEach(filterRows);
useTheme(THEMES.includes(stored()) ? stored() : "system");
find(".theme").addEventListener("click", () => {
  const now = document.documentElement.dataset.theme ?? "system";
  const next = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length];
  useTheme(next);
  stored(next);
});
