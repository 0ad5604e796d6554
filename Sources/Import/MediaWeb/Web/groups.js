// The groups of pictures that look alike: which of each stay, and what becomes of the others.
import { ask, fail, say } from "/page.js";
import { Pictures } from "/pictures.js";

/** Shows the groups of the question; returns what answers it when all that was decided is sent. */
export function openGroups(answer) {
  const section = document.getElementById("question");
  const pictures = new Pictures();
  const big = section.querySelector("#big");
  const done = section.querySelector("[data-choice=decide]");
  const groups = [...section.querySelectorAll(".group")];
  const boxes = (group) => [...group.querySelectorAll(".cell input")];
  const choice = (group) => group.querySelector(".segments :checked").value;
  let sending = Promise.resolve();
  let shown;

  function count() {
    const number = groups.filter((group) => choice(group) !== "leave").length;
    section.querySelector("#count").textContent = words("ask.decided", { n: number, count: groups.length });
    done.disabled = !number;
    for (const group of groups) group.dataset.chosen = choice(group);
  }

  function send(group) {
    const words = [group.dataset.group, choice(group)];
    if (words[1] !== "leave") words.push(...boxes(group).filter((box) => box.checked).map((box) => box.value));
    sending = sending.then(() => ask("/decision", words.join(" "))).then(() => say(""), fail);
  }

  section.addEventListener("change", ({ target }) => {
    const group = target.closest(".group");
    // One stays, and one is in front.
    const isLast = target.type === "checkbox" && !boxes(group).some((box) => box.checked);
    if (isLast) target.checked = true;
    count();
    if (target.type === "radio" || choice(group) !== "leave") send(group);
    if (isLast) sending.then(() => say(words("ask.oneStays")));
  });

  function enlarge(cell) {
    shown = cell;
    const image = cell.querySelector("img");
    Object.assign(big.querySelector("img"), { src: image?.src ?? "", hidden: !image, alt: cell.dataset.name });
    big.querySelector("bdi").textContent = cell.dataset.name;
    big.querySelector("small").textContent = cell.dataset.facts;
    if (!big.open) big.showModal();
  }

  /** To another picture of the group. */
  function go(step) {
    const cells = [...shown.closest(".group").querySelectorAll(".cell")];
    enlarge(cells[(cells.indexOf(shown) + step + cells.length) % cells.length]);
  }

  section.addEventListener("click", ({ target }) => {
    if (target.matches(".larger")) enlarge(target.closest("li").querySelector(".cell"));
  });
  const forward = document.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  big.addEventListener("keydown", ({ key }) => /^Arrow(Left|Right)$/.test(key) && go(key === forward ? 1 : -1));
  section.querySelector("#bigback").addEventListener("click", () => go(-1));
  section.querySelector("#bignext").addEventListener("click", () => go(1));
  section.querySelector("#bigclose").addEventListener("click", () => big.close());
  big.addEventListener("close", () => shown.closest("li").querySelector(".larger").focus());
  document.body.classList.add("picking");
  pictures.watch(section);
  count();
  return () => sending.then(() => answer("decide"));
}
