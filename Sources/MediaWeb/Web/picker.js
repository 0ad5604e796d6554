// The names to select from. The server searches; this keeps what is selected, also while a search hides it.
import { ask, say } from "/page.js";
import { Pictures } from "/pictures.js";

const waitBeforeSearch = 150;

export function openPicker(opener, answer) {
  const part = (id) => document.getElementById(id);
  const picker = part("picker");
  const answers = document.querySelector(".answers");
  const limit = Number(picker.dataset.limit);
  const selected = new Set();
  const pictures = new Pictures();
  let end = 0;
  let latest = 0;
  let timer;

  function count() {
    const isFull = selected.size >= limit;
    part("count").textContent =
      selected.size === 0 ? "None selected" : `${selected.size} selected${isFull ? ", the most that can be" : ""}`;
    part("done").disabled = part("clear").disabled = selected.size === 0;
    for (const box of picker.querySelectorAll("input[type=checkbox]")) {
      box.checked = selected.has(box.value);
      box.disabled = isFull && !box.checked;
    }
  }

  async function load(from) {
    latest += 1;
    const mine = latest;
    const query = new URLSearchParams({ search: part("search").value, kind: part("kind").value, from });
    if (part("album").value) query.set("album", part("album").value);
    try {
      let response = await ask(`/names?${query}`);
      // The folder is large: the server says so every ten seconds.
      while (response.status === 202 && mine === latest) response = await ask(`/names?${query}`);
      const html = await response.text();
      // A later search has overtaken this one.
      if (mine !== latest) return;
      if (from === 0) {
        pictures.clear();
        part("names").replaceChildren();
      }
      part("names").insertAdjacentHTML("beforeend", html);
      pictures.watch(part("names"));
      const range = part("range");
      end = Number(range.dataset.end);
      part("more").hidden = end >= Number(range.dataset.total);
      const unlisted = range.dataset.unlisted ? ` ${range.dataset.unlisted} folders could not be listed.` : "";
      say(`${range.dataset.total} ${range.dataset.total === "1" ? "name" : "names"}.${unlisted}`);
      range.remove();
      count();
    } catch (error) {
      say(error.status ? error.message : "The page has ended. Look at the terminal.");
    }
  }

  async function loadAlbums() {
    try {
      let response = await ask("/albums");
      while (response.status === 202) response = await ask("/albums");
      const html = await response.text();
      part("album").insertAdjacentHTML("beforeend", html);
    } catch {
      // The status line tells of the names, which fail for the same reason.
    }
  }

  picker.hidden = false;
  answers.hidden = true;
  if (!picker.dataset.ready) {
    picker.dataset.ready = "yes";
    part("find").addEventListener("submit", (event) => event.preventDefault());
    part("search").addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(load, waitBeforeSearch, 0);
    });
    part("kind").addEventListener("change", () => load(0));
    part("album").addEventListener("change", () => load(0));
    part("names").addEventListener("change", (event) => {
      if (event.target.checked) selected.add(event.target.value);
      else selected.delete(event.target.value);
      count();
    });
    part("more").addEventListener("click", () => load(end));
    part("clear").addEventListener("click", () => {
      selected.clear();
      count();
      part("picker-title").focus();
    });
    part("done").addEventListener("click", () => answer(["select", ...selected].join(" ")));
    part("back").addEventListener("click", () => {
      picker.hidden = true;
      answers.hidden = false;
      opener.focus();
    });
    say("The names are being read.");
    load(0);
    loadAlbums();
  }
  part("picker-title").focus();
}
