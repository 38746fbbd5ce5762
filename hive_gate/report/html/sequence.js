/* The exchanges of a clause, drawn when somebody looks at them, and only as many as one can look at. */

const MESSAGES = 40; // drawn at once
const LINES = 200;
const POINTED = { first: 12, around: 6, short: 60 }; // what is drawn of something long around what a finding points at
const STRING = 400; // characters of a string
const SHORT = 76; // a value that is no longer stays on one line
const OPEN = { messages: 6, characters: 4000 }; // a short sequence is open from the start

const store = {
  lines: find("#data-messages").textContent.split("\n").slice(1, -1),
  clauses: JSON.parse(find("#data-clauses").textContent),
  index: null,
};

const HEAD = /^\{"n":(\d+),"server":(\d+),"ms":([^,]+),"direction":"(sent|received)","bytes":(\d+),"(body|text)":/;

/** Return message number `n`: what is known of it, and the JSON text that it carried. */
function message(n) {
  store.index ??= new Map(store.lines.map((line, at) => [Number(HEAD.exec(line)[1]), at]));
  const line = store.lines[store.index.get(n)];
  const [head, , server, ms, direction, bytes, member] = HEAD.exec(line);
  const text = line.slice(head.length, line.lastIndexOf("}"));
  return { n, server: Number(server), ms: Number(ms), direction, bytes: Number(bytes), text, isJson: member === "body" };
}

function messagesOf(server) {
  return store.lines.map((line) => HEAD.exec(line)).filter((head) => Number(head[2]) === server).map((head) => Number(head[1]));
}

/* How the page escapes what could end a script; it is shown as it was. */
const INERT = { "\\u003c": "<", "\\u003e": ">", "\\u0026": "&" };
const asItWas = (text) => text.replace(/\\(?:u00(?:3c|3e|26)|[^])/g, (escape) => INERT[escape] ?? escape);

function bytes(count) {
  if (count < 1000) return `${count} B`;
  return count < 1e6 ? `${(count / 1e3).toFixed(1)} kB` : `${(count / 1e6).toFixed(1)} MB`;
}

/* A list of `total` pieces of which some are drawn; in place of the others is a button that draws more of them. */
function drawn(list, total, wanted, piece, words, size) {
  const first = wanted.length && total > POINTED.short ? POINTED.first : size;
  const ranges = [[0, Math.min(first, total)]];
  for (const at of [...wanted].sort((a, b) => a - b)) {
    const last = ranges[ranges.length - 1];
    const [from, to] = [Math.max(0, at - POINTED.around), Math.min(total, at + POINTED.around + 1)];
    if (from <= last[1]) last[1] = Math.max(last[1], to);
    else ranges.push([from, to]);
  }
  ranges.forEach(([from, to], n) => {
    for (let at = from; at < to; at += 1) list.append(piece(at));
    const next = n + 1 < ranges.length ? ranges[n + 1][0] : total;
    if (next > to) list.append(gap(to, next, piece, words, size, list.tagName === "OL" ? "li" : "span"));
  });
  return list;
}

function gap(from, to, piece, words, size, tag) {
  const button = make("button", "gap");
  const place = make(tag, "", button);
  button.type = "button";
  const label = () => {
    const count = Math.min(size, to - from);
    button.textContent = `… ${(to - from).toLocaleString("en")} ${words} are left out here; show ${count === to - from ? "them" : `${count} of them`}`;
  };
  label();
  button.addEventListener("click", () => {
    const pieces = [];
    for (const end = Math.min(to, from + size); from < end; from += 1) pieces.push(piece(from));
    place.before(...pieces);
    if (from < to) label();
    else {
      place.remove();
      const next = find("summary, button", pieces[0]) ?? pieces[0].closest("details")?.querySelector("summary");
      next?.focus();
    }
  });
  return place;
}

/* JSON text as a tree that keeps the text: numbers, order and escapes are shown as they came. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

function parse(text) {
  const root = { entries: [] };
  const above = [];
  let here = root;
  let key = null;
  let word = null;
  const add = (node) => { here.entries.push({ ...node, key, marks: [] }); key = null; return here.entries.at(-1); };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") {
      above.push(here);
      here = add({ open: token, from: index, entries: [] });
    } else if (token === "}" || token === "]") {
      if (word !== null) add({ text: word });
      word = null;
      here.text = text.slice(here.from, index + 1);
      here = above.pop();
    } else if (token === ":") [key, word] = [word, null];
    else if (token === ",") {
      if (word !== null) add({ text: word });
      word = null;
    } else word = token;
  }
  if (word !== null) add({ text: word });
  return root.entries[0];
}

const name = (key) => JSON.parse(asItWas(key));

/** Return the node at a JSON pointer, or the last one on the way; what is on the way is not folded. */
function at(node, pointer) {
  for (const token of pointer.split("/").slice(1)) {
    const wanted = token.replaceAll("~1", "/").replaceAll("~0", "~");
    const entries = node.entries ?? [];
    const next = node.open === "[" ? entries[Number(wanted)] : entries.find((entry) => name(entry.key) === wanted);
    if (next === undefined) return node;
    node.unfolded = true;
    node = next;
  }
  return node;
}

/** Lay a tree out as lines: the depth, parts with their classes, and what points at it. */
function* lay(node, depth, comma, within) {
  const head = node.key === null ? [] : [["k", node.key], ["", ": "]];
  const inside = within || node.marks.length > 0;
  const one = !node.entries?.length || (!node.unfolded && node.text.length <= SHORT);
  if (one) {
    yield { depth, parts: [...head, ...inline(node.text), ["", comma]], marks: node.marks, within: inside };
    return;
  }
  yield { depth, parts: [...head, ["", node.open]], marks: node.marks, within: inside };
  for (const [n, entry] of node.entries.entries()) {
    yield* lay(entry, depth + 1, n + 1 < node.entries.length ? "," : "", inside);
  }
  yield { depth, parts: [["", (node.open === "{" ? "}" : "]") + comma]], marks: [], within: inside };
}

function* inline(text) {
  const tokens = [...text.matchAll(TOKEN)].map((found) => found[0]);
  for (const [n, token] of tokens.entries()) {
    if (token === ":" || token === ",") yield ["", `${token} `];
    else if (token.startsWith('"')) yield [tokens[n + 1] === ":" ? "k" : "s", token];
    else yield [/^[{}[\]]/.test(token) ? "" : /^[tfn]/.test(token) ? "w" : "d", token];
  }
}

function part([kind, text]) {
  const shown = asItWas(text);
  if (!kind) return shown;
  if (shown.length <= STRING) return make("span", kind, shown);
  const more = make("button", "more", `… ${(shown.length - STRING).toLocaleString("en")} more characters`);
  const span = make("span", kind, shown.slice(0, STRING), more);
  more.type = "button";
  more.addEventListener("click", () => span.replaceChildren(shown));
  return span;
}

function drawLine({ depth, parts, marks, within }) {
  const line = make("span", within ? "parsed within" : "parsed", "  ".repeat(depth));
  line.style.setProperty("--depth", Math.min(depth, 12));
  const content = parts.map(part);
  line.append(...(marks.length ? [make("mark", "", ...content)] : content));
  line.append(...marks.map((says) => make("span", "pointing", says)));
  return line;
}

/** Draw the JSON of a message, with what findings say beside the values that they point at. */
function drawJson(text, marks) {
  const tree = parse(text);
  for (const { pointer, says } of marks) at(tree, pointer).marks.push(says);
  const lines = [...lay(tree, 0, "", false)];
  const pointed = lines.flatMap((line, n) => (line.marks.length ? [n] : [])).slice(0, 50);
  return drawn(make("pre", "json"), lines.length, pointed, (n) => drawLine(lines[n]), "lines", LINES);
}

/** Say what a message is: its method, and whether it asks, answers or tells. */
function kindOf(one, replies) {
  if (!one.isJson) return ["", "no JSON message"];
  let body;
  try { body = JSON.parse(one.text); } catch { return ["", "no JSON message"]; }
  if (typeof body.method === "string") return [body.method, "id" in body ? "request" : "notification"];
  const reply = replies.get(one.n);
  const took = typeof reply?.took === "number" ? ` after ${reply.took.toFixed(1)} ms` : "";
  return [reply?.method ?? "", ("error" in body ? `error ${body.error?.code ?? ""}` : "reply") + took];
}

function drawMessage(n, replies, marks, open) {
  const one = message(n);
  const [method, kind] = kindOf(one, replies);
  const summary = make("summary", "",
    make("span", "way", icon(one.direction), one.direction), make("code", "", method || "-"), make("span", "", kind),
    make("span", "figures", make("span", "", `${one.ms.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 })} ms`), " ",
      make("span", "", bytes(one.bytes)), " ", make("span", "", `message ${n}`)));
  const details = make("details", `message ${one.direction}${marks.length ? " pointed" : ""}`, summary);
  const draw = () => { if (details.children.length === 1) details.append(drawJson(one.text, marks)); };
  details.addEventListener("toggle", () => { if (details.open) draw(); });
  if (marks.length || (open && one.text.length <= OPEN.characters)) {
    details.open = true;
    draw();
  }
  return details;
}

function drawSequence(numbers, exchanges, marks) {
  const replies = new Map(exchanges.filter((e) => e[2] !== null).map(([method, , reply, took]) => [reply, { method, took }]));
  const silent = new Map(exchanges.filter((e) => e[2] === null).map((e) => [e[1], e[4]]));
  const pointed = numbers.flatMap((n, place) => (marks.has(n) ? [place] : [])).slice(0, 50);
  const open = numbers.length <= OPEN.messages;
  const piece = (place) => {
    const n = numbers[place];
    const item = make("li", "", drawMessage(n, replies, marks.get(n) ?? [], open));
    if (silent.has(n)) item.append(make("p", "silent bad", `No reply to message ${n}: ${silent.get(n) ?? "the reason is not known"}`));
    return item;
  };
  return drawn(make("ol", "sequence"), numbers.length, pointed, piece, "messages", MESSAGES);
}

function fill(box, title, numbers, exchanges, marks) {
  if (box.children.length) return;
  const count = `${title}: ${numbers.length.toLocaleString("en")} ${numbers.length === 1 ? "message" : "messages"}`;
  box.append(make("h3", "", numbers.length ? count : `${title}: none`));
  if (numbers.length) box.append(drawSequence(numbers, exchanges, marks));
}

/** Draw the exchanges of a clause's row, once. */
function showClause(row) {
  const clause = store.clauses[Number(row.dataset.clause)];
  const marks = new Map();
  for (const [n, pointer, says] of clause.marks) {
    marks.set(n, [...(marks.get(n) ?? []), { pointer, says }]);
  }
  fill(find(".exchanges", row), "Exchanges", clause.messages, clause.exchanges, marks);
}

for (const details of all(".server")) {
  details.addEventListener("toggle", () => {
    if (!details.open) return;
    const exchanges = store.clauses.flatMap((clause) => clause.exchanges);
    fill(find(".exchanges", details), "All that crossed its wire", messagesOf(Number(details.dataset.server)), exchanges, new Map());
  });
}
