// Search in the browser: the few files of words that a query needs are loaded, and the titles of what is shown.
const hits = document.getElementById("hits");
const status = document.getElementById("status");
const box = document.getElementById("q");
const SHOWN = 50;
const LONGEST_WORD = 30;

const load = async (name) => {
  const answer = await fetch(`${hits.dataset.index}/${name}.json`);
  if (!answer.ok) throw new Error(`${name} could not be loaded`);
  return answer.json();
};
const plain = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
const shardOf = (word) => [...word].slice(0, 2).map((letter) => (letter.codePointAt(0) < 128 ? letter : `u${letter.codePointAt(0).toString(16)}`)).join("");

// What is typed -> words that must be there, words that may, words that may not, years.
const readQuery = (text) => {
  const query = { words: [], years: null };
  for (const part of text.slice(0, 1000).split(/[\s"]+/)) {
    const span = part.match(/^(\d{4})?\.\.(\d{4})?$/) ?? part.match(/^year:((\d{4}))$/);
    if (span && (span[1] || span[2])) {
      query.years = [Number(span[1] ?? 0), Number(span[2] ?? 9999)];
      continue;
    }
    const sign = part[0] === "+" || part[0] === "-" ? part[0] : "";
    const open = part.endsWith("*");
    // The index has no fields: what is asked of one is looked for everywhere, and its name is no word.
    for (const word of plain(part.replace(/^[+-]?\p{L}[\p{L}\p{N}_-]*:(?!\/\/)/u, "")).match(/[\p{L}\p{N}]+/gu) ?? []) query.words.push({ word: [...word].slice(0, LONGEST_WORD).join(""), sign, open });
  }
  query.words = query.words.slice(0, 20);
  return query;
};

// A word -> the items that have it, with its weight on each.
const listOf = async ({ word, open }, about, shards) => {
  const name = shardOf(word);
  if (!about.shards.includes(name)) return new Map();
  shards[name] ??= load(`w-${name}`);
  const lists = await shards[name];
  const words = open ? Object.keys(lists).filter((each) => each.startsWith(word)) : Object.hasOwn(lists, word) ? [word] : [];
  const found = new Map();
  for (const each of words) {
    let item = 0;
    for (let at = 0; at < lists[each].length; at += 2) {
      item += lists[each][at];
      found.set(item, Math.max(found.get(item) ?? 0, lists[each][at + 1] / about.scale));
    }
  }
  return found;
};

const rank = async (query, topic, about) => {
  const shards = {};
  const wanted = query.words.filter(({ sign }) => sign !== "-");
  const lists = await Promise.all(query.words.map((word) => listOf(word, about, shards)));
  const scores = new Map();
  const had = new Map();
  query.words.forEach(({ sign }, at) => {
    if (sign === "-") return;
    const rarity = Math.log(1 + about.items / (1 + lists[at].size));
    for (const [item, weight] of lists[at]) {
      scores.set(item, (scores.get(item) ?? 0) + weight * rarity);
      had.set(item, (had.get(item) ?? 0) + 1);
    }
  });
  if (!wanted.length) for (let item = 0; item < about.items; item += 1) scores.set(item, 0);
  query.words.forEach(({ sign }, at) => {
    if (sign === "-") for (const item of lists[at].keys()) scores.delete(item);
    if (sign === "+") for (const item of scores.keys()) if (!lists[at].has(item)) scores.delete(item);
  });
  const below = about.topics.map((each) => !topic || each === topic || each.startsWith(`${topic}/`));
  const fits = (item) => below[about.topic[item]] && (!query.years || (about.year[item] >= query.years[0] && about.year[item] <= query.years[1]));
  let found = [...scores].filter(([item]) => fits(item));
  const most = Math.max(0, ...found.map(([item]) => had.get(item) ?? 0));
  const some = wanted.length > 1 && most < wanted.length;
  if (!some) found = found.filter(([item]) => (had.get(item) ?? 0) >= wanted.length || wanted.some(({ sign }) => sign === "+"));
  found.sort((one, other) => (had.get(other[0]) ?? 0) - (had.get(one[0]) ?? 0) || other[1] - one[1] || one[0] - other[0]);
  return { found: found.map(([item]) => item), some };
};

const add = (parent, tag, kind, text) => {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  if (text !== undefined) {
    const isolated = document.createElement("bdi");
    isolated.textContent = text;
    made.append(isolated);
  }
  parent.append(made);
  return made;
};

const show = ([address, title, who, year, topic, cited]) => {
  const entry = add(hits, "article", "entry");
  const link = add(add(entry, "h2", "what"), "a", "", title);
  link.href = `${hits.dataset.items}/${address.slice(0, 2)}/${address}.html`;
  if (who) add(entry, "p", "who", who);
  const facts = add(entry, "p", "facts");
  if (year) add(facts, "span", "", String(year));
  if (topic) add(facts, "span", "", topic.split("/").at(-1));
  if (cited) add(facts, "span", "cited", `cited ${cited} ${cited === 1 ? "time" : "times"}`);
};

const search = async () => {
  const asked = new URLSearchParams(location.search);
  const text = asked.get("q") ?? "";
  const topic = asked.get("topic") ?? "";
  box.value = text;
  if (!text && !topic) return;
  status.textContent = "Searching …";
  try {
    const about = await load("about");
    const { found, some } = await rank(readQuery(text), topic, about);
    const shown = found.slice(0, SHOWN);
    const files = {};
    for (const item of shown) files[Math.floor(item / about.inFile)] ??= load(`i-${Math.floor(item / about.inFile)}`);
    const items = await Promise.all(shown.map(async (item) => (await files[Math.floor(item / about.inFile)])[item % about.inFile]));
    hits.replaceChildren();
    items.forEach(show);
    const count = `${found.length} ${found.length === 1 ? "item" : "items"}`;
    status.textContent = `${count}${some && found.length ? ": none has all the words, these have some of them" : ""}${found.length > SHOWN ? `; the first ${SHOWN} are shown` : ""}.`;
  } catch (error) {
    status.textContent = `The search did not work (${error.message}). It needs a web server: pages that are opened as files can't load the index.`;
  }
};

await search();
