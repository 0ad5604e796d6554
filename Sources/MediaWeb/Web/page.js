// The question and its answers. The token of the address is exchanged for another one, which stays in
// this tab; the address then holds none.
import { openPicker } from "/picker.js";

const page = document.getElementById("page");
const stored = "mediabatch-token";

/** Asks the page's own server; throws an Error whose message is for the person. */
export async function ask(path, body) {
  const headers = {};
  const token = sessionStorage.getItem(stored);
  if (token) headers["Mediabatch-Token"] = token;
  const method = body === undefined ? "GET" : "POST";
  const response = await fetch(path, { method, headers, body, cache: "no-store" });
  if (!response.ok) {
    const error = new Error(await response.text());
    error.status = response.status;
    throw error;
  }
  return response;
}

export function say(text) {
  document.getElementById("state").textContent = text;
}

async function exchange(token) {
  sessionStorage.removeItem(stored);
  const response = await ask("/session", token);
  sessionStorage.setItem(stored, await response.text());
}

async function showQuestion() {
  const response = await ask("/question");
  page.innerHTML = await response.text();
  document.title = page.querySelector("h1").textContent;
  for (const button of page.querySelectorAll("[data-choice]")) {
    button.addEventListener("click", () => {
      if (button.dataset.choice === "select") openPicker(button, answer);
      else answer(button.dataset.choice);
    });
  }
  page.focus();
}

async function answer(words) {
  for (const button of page.querySelectorAll("button")) button.disabled = true;
  try {
    const response = await ask("/answer", words);
    const next = response.headers.get("Mediabatch-Next");
    page.innerHTML = await response.text();
    page.focus();
    sessionStorage.removeItem(stored);
    if (next) await showNext(next);
  } catch (error) {
    for (const button of page.querySelectorAll("button")) button.disabled = false;
    say(error.status ? error.message : "The page has ended. Look at the terminal.");
  }
}

/** The next question is asked by another process at the same address; there may be none after all. */
async function showNext(token) {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    try {
      await exchange(token);
      await showQuestion();
      return;
    } catch (error) {
      if (error.status && error.status !== 410) break;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
  say("There is no further question. You can close this page.");
}

async function start() {
  const token = location.hash.slice(1);
  if (token) history.replaceState(null, "", "/");
  try {
    if (token) await exchange(token);
    await showQuestion();
  } catch (error) {
    say(error.status ? error.message : "The page has ended. Look at the terminal.");
  }
}

start();
