// The question and its answers. The address's token is exchanged for another one, which this browser keeps for
// this origin until the end, and nothing else.
import { openGroups } from "/groups.js";
import { openPicker } from "/picker.js";

const page = document.getElementById("page");
const stored = "mediabatch-token";
const storedNext = "mediabatch-next";
const memory = {};
// The language of the address; without one it is the browser's, which its requests name.
const asked = new URLSearchParams(location.search).get("lang") ?? "";
let idle = 600;
let again = "";
let timer;
// An answer ends what still loads: its server ends.
let loading = new AbortController();

/** The value kept under a name; a browser that keeps nothing has it until the page is left. */
function kept(name) {
  try {
    return localStorage.getItem(name) ?? memory[name];
  } catch {
    return memory[name];
  }
}

function keep(name, value) {
  memory[name] = value;
  try {
    if (value) localStorage.setItem(name, value);
    else localStorage.removeItem(name);
  } catch {
    // It stays in memory.
  }
}

/** Asks the server; throws an Error with a message for the person. */
export async function ask(path, body) {
  const token = kept(stored);
  const headers = { "Mediabatch-Language": asked, ...(token && { "Mediabatch-Token": token }) };
  const [method, signal] = body === undefined ? ["GET", loading.signal] : ["POST"];
  const response = await fetch(path, { method, headers, body, signal, cache: "no-store" });
  if (!response.ok) {
    throw Object.assign(new Error(await response.text()), { status: response.status });
  }
  clearTimeout(timer);
  timer = setTimeout(lookWhetherEnded, (idle + 3) * 1000);
  return response;
}

export function say(text) {
  page.querySelector(":scope > :not([hidden]) .state").textContent = text;
}

export function fail(error) {
  if (error.name === "AbortError") return;
  if (error.status === 403) show("elsewhere");
  else if (error.status && error.status !== 410) say(error.message);
  else end();
}

/** The frame needs no token: asking for it keeps no page. */
async function lookWhetherEnded() {
  try {
    await fetch("/", { cache: "no-store" });
  } catch {
    keep(stored);
    keep(storedNext);
    end();
  }
}

/** A tunnel may be down for a while: the token stays, and a reload goes on. */
function end() {
  show("ended");
  if (again) document.getElementById("again").textContent = again;
}

function show(content) {
  document.body.classList.remove("picking");
  document.getElementById("step").textContent = "";
  if (typeof content === "string") content = document.getElementById(content).content.cloneNode(true);
  page.replaceChildren(content);
  const heading = page.querySelector("h1");
  document.title = heading.textContent;
  heading.focus();
}

const parsed = (html) => document.createRange().createContextualFragment(html);

async function exchange(token) {
  const response = await ask("/session", token);
  keep(stored, await response.text());
}

async function showQuestion() {
  const response = await ask("/question");
  show(parsed(await response.text()));
  const { step, idle: seconds, again: command } = document.getElementById("question").dataset;
  document.getElementById("step").textContent = step;
  [idle, again] = [Number(seconds), command ?? ""];
  const ticked = () => [...page.querySelectorAll(".sources :checked")].map((box) => box.value);
  const proceed = page.querySelector("[data-choice=proceed]");
  function count() {
    const number = ticked().length;
    proceed.disabled = !number;
    proceed.textContent = words(number ? "ask.continue" : "ask.chooseSource", { n: number });
  }
  page.querySelector(".sources")?.addEventListener("change", count);
  if (proceed) count();
  const decide = page.querySelector(".alike") && openGroups(answer);
  for (const button of page.querySelectorAll("[data-choice]")) {
    button.addEventListener("click", () => {
      if (button.dataset.choice === "decide") decide();
      else if (button === proceed) answer(["proceed", ...ticked()].join(" "));
      else if (button.dataset.choice === "select") openPicker(button, answer);
      else answer(button.dataset.choice);
    });
  }
}

async function answer(words) {
  const lock = (isOn) => page.querySelectorAll("button").forEach((button) => (button.disabled = isOn));
  lock(true);
  const pictures = [...page.querySelectorAll(".cell:has(:checked) img")].slice(0, 6);
  loading.abort();
  try {
    const response = await ask("/answer", words).finally(() => (loading = new AbortController()));
    const next = response.headers.get("Mediabatch-Next");
    keep(storedNext, next);
    keep(stored);
    clearTimeout(timer);
    show(parsed(await response.text()));
    page.querySelector(".pile")?.append(...pictures);
    if (next) await showNext(next);
  } catch (error) {
    lock(false);
    fail(error);
  }
}

/** Another process asks the next question at the same address; there may be none after all. */
async function showNext(token) {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    try {
      await exchange(token);
      keep(storedNext);
      return await showQuestion();
    } catch (error) {
      if (error.status && error.status !== 410) break;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
  keep(storedNext);
  say(words("ask.noFurther"));
}

async function start() {
  const token = /^#[0-9a-f]{64}$/.test(location.hash) ? location.hash.slice(1) : "";
  if (token) history.replaceState(null, "", `/${location.search}`);
  try {
    if (token) {
      // The same browser may open its address again.
      await exchange(token).catch((error) => {
        if (!kept(stored)) throw error;
      });
    } else if (kept(storedNext)) return await showNext(kept(storedNext));
    await showQuestion();
  } catch (error) {
    fail(error);
  }
}

start();
