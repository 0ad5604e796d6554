// Shows the items of a report that a person asks for. Without scripts all of them are shown.
(() => {
  "use strict";

  const items = [...document.querySelectorAll("[data-outcome]")];
  const place = document.querySelector("#items");
  if (items.length < 2 || !place) return;

  const lists = [...new Set(items.map((item) => item.closest(".scroll, .gallery")))];
  const texts = items.map((item) => item.textContent.toLowerCase());

  // Properties of the element, and what is in it.
  function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  const search = element("input", { type: "search", autocomplete: "off" });
  const choices = ["outcome", "source", "reason"].map((name) => {
    const words = [...new Set(items.map((item) => item.dataset[name]).filter(Boolean))].sort();
    const select = element("select", { name }, element("option", { value: "", textContent: "any" }));
    for (const word of words) select.append(element("option", { value: word, textContent: word }));
    return { name, words, select };
  });
  const status = element("p", { className: "faint" });
  status.setAttribute("role", "status");

  const form = element("form", { className: "filter", onsubmit: (event) => event.preventDefault() });
  form.setAttribute("role", "search");
  form.append(element("label", {}, "search ", search));
  for (const { name, words, select } of choices)
    if (words.length > 1) form.append(element("label", {}, `${name} `, select));
  form.append(element("button", { type: "reset", textContent: "Show all" }));

  function filter() {
    const wanted = search.value.trim().toLowerCase();
    let count = 0;
    items.forEach((item, index) => {
      const isShown =
        texts[index].includes(wanted) &&
        choices.every(({ name, select }) => !select.value || item.dataset[name] === select.value);
      item.hidden = !isShown;
      if (isShown) count += 1;
    });
    for (const list of lists) list.hidden = !list.querySelector("[data-outcome]:not([hidden])");
    status.textContent = count === items.length ? "" : `${count} of the ${items.length} items on this page`;
  }

  form.addEventListener("input", filter);
  // The fields are empty after this event.
  form.addEventListener("reset", () => setTimeout(filter));
  place.after(form, status);
})();
