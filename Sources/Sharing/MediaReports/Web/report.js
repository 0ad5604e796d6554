// Shows the items of a report that a person asks for: those on the page, and the others, which the page has
// as rows, a part at a time. Without scripts the former are shown.
(() => {
  "use strict";

  const { element, form: searchForm, words: wordsOf } = window.gallery;
  const items = [...document.querySelectorAll("[data-outcome]")];
  const place = document.querySelector("#items");
  const data = document.querySelector("#rows");
  const pageLength = 100;
  let rest = null;
  let found = [];
  let start = 0;

  const names = ["outcome", "source", "reason"];
  const choices = JSON.parse(document.querySelector("#choices").textContent);
  const outcomes = new Map(choices[0]);
  const restCount = Number(data.dataset.count);
  const total = items.length + restCount;
  if (total < 2 || !place) return;

  const lists = [...new Set(items.map((item) => item.closest(".scroller, .gallery")))];
  const texts = items.map((item) => item.textContent.toLowerCase());

  // The rows are read with the first look at them: a large page is painted before.
  function rows() {
    rest ??= JSON.parse(data.textContent).map(([outcome, source, reason, path, label, badges, why]) => {
      // A name may hold what a replacement would take for a pattern, such as $&.
      const message = why.replace("\u0001", () => `"${path}"`);
      const text = [path, label, source, badges, message, reason].join(" ").toLowerCase();
      return { outcome, source, reason, path, label, badges, message, text };
    });
    return rest;
  }

  const search = element("input", { type: "search", autocomplete: "off" });
  const status = element("p", { className: "faint", role: "status" });
  const form = searchForm(element("label", { className: "field" }, "Search ", search));

  // Outcomes are chips with their numbers; what has more choices is a menu.
  const chip = (value, text, count) =>
    element(
      "label",
      { className: "chip" },
      element("input", { type: "radio", name: "outcome", value, defaultChecked: !value }),
      `${text} `,
      element("span", { textContent: count.toLocaleString("en") }),
    );
  const chips = element("div", { className: "chips", ariaLabel: "Outcome" }, chip("", "All", total));
  chips.setAttribute("role", "radiogroup");
  for (const choice of choices[0]) chips.append(chip(...choice));
  if (choices[0].length > 1) form.append(chips);
  names.forEach((name, index) => {
    if (!index || choices[index].length < 2) return;
    const select = element("select", { name }, element("option", { value: "", textContent: "any" }));
    for (const [value, textContent] of choices[index]) select.append(element("option", { value, textContent }));
    form.append(element("label", {}, `${name} `, select));
  });
  form.append(element("button", { type: "reset", className: "button", textContent: "Show all" }));

  const button = (textContent, step) =>
    element("button", {
      type: "button",
      className: "button",
      textContent,
      onclick: () => {
        start += step;
        showRest();
        heading.focus();
      },
    });
  const previous = button("Previous page", -pageLength);
  const next = button("Next page", pageLength);
  const heading = element("h3", { tabIndex: -1, textContent: "More items" });
  const range = element("span");
  const body = element("tbody");
  const columns = ["item", "source", "outcome", "what it is, or why"];
  const table = element(
    "table",
    {},
    element("caption", { textContent: "Items beyond those with a place of their own on the page" }),
    element("thead", {}, element("tr", {}, ...columns.map((text) => element("th", { scope: "col", textContent: text })))),
    body,
  );
  const frame = element("div", { className: "scroller", tabIndex: 0, ariaLabel: "More items" }, table);
  frame.setAttribute("role", "region");
  const pager = element("p", { className: "pager" }, previous, range, next);
  const more = element("div", { id: "more", className: "screen", hidden: restCount === 0 }, heading, pager, frame);

  function row({ outcome, source, path, label, badges, message }) {
    const name = element("th", { scope: "row" });
    if (label) name.append(element("b", { dir: "auto", textContent: label }), element("br"));
    name.append(element("span", { className: "path", dir: "auto", textContent: path }));
    const why = [badges, message].filter(Boolean).join(" ");
    return element("tr", {}, name, ...[source, outcomes.get(outcome), why].map((text) => element("td", { textContent: text })));
  }

  function showRest() {
    const end = Math.min(found.length, start + pageLength);
    body.replaceChildren(...found.slice(start, end).map(row));
    range.textContent = `${start + 1}–${end} of ${found.length}`;
    previous.disabled = start === 0;
    next.disabled = end === found.length;
    more.hidden = found.length === 0;
  }

  function filter() {
    const words = wordsOf(search.value);
    const isWanted = (text, values) =>
      words.every((word) => text.includes(word)) &&
      names.every((name) => !form.elements[name]?.value || values[name] === form.elements[name].value);
    let count = 0;
    items.forEach((item, index) => {
      item.hidden = !isWanted(texts[index], item.dataset);
      if (!item.hidden) count += 1;
    });
    for (const list of lists) list.hidden = !list.querySelector("[data-outcome]:not([hidden])");
    if (restCount) {
      found = rows().filter((item) => isWanted(item.text, item));
      start = 0;
      showRest();
    }
    count += found.length;
    status.textContent = count === total ? "" : `${count} of the ${total} items on this page`;
  }

  let timer = 0;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    if (restCount > 1000) timer = setTimeout(filter, 150);
    else filter();
  });
  // The fields are empty after this event.
  form.addEventListener("reset", () => setTimeout(filter));
  place.after(form, status);
  document.querySelector("#after-items").before(more);
  if (restCount) requestAnimationFrame(() => setTimeout(filter));
})();
