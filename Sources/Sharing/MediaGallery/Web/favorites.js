// Favorites, which this browser keeps, and the selection that is made of them.
"use strict";

{
  const { dataset, classList } = document.body;
  const choose = +(dataset.choose ?? 0);
  const [hearts, tray, sheet, who, note, said] = ".hearts .tray .send #who #note #said".split(" ").map((name) => one(name));
  one(".show").href = hearts.href;

  // Identifier to [title, tile, page, width, height].
  const favorites = new Map(store.get("favorites", []));
  let isOnly = false;

  gallery.isFavorite = ({ id }) => favorites.has(id);
  gallery.toggle = (item) => {
    if (!favorites.delete(item.id)) {
      const { width, height, attributes } = one("img", item) ?? {};
      const tile = (attributes?.["data-path"] ?? attributes?.src)?.value;
      favorites.set(item.id, [one("a", item).dataset.title, tile?.slice(root.length), dataset.page, width, height]);
    }
    store.set("favorites", [...favorites]);
    tell();
  };
  // What is shown alone, of this page and of others.
  gallery.favorites = () => {
    const rest = [...favorites].filter(([id]) => !document.getElementById(id));
    const elsewhere = rest.map(([id, [title, tile, page, width, height]]) => ({ id, title, tile, page, width, height }));
    return isOnly && { isOn: gallery.isFavorite, elsewhere };
  };

  for (const item of items) {
    const ariaLabel = words("favoriteOf", one("a", item).dataset);
    item.append(element("button", { type: "button", className: "heart", ariaLabel, onclick: () => gallery.toggle(item) }, icon("heart")));
  }

  const picture = ([, tile]) => (tile ? element("img", { src: root + tile, alt: "" }) : "");
  const counted = ({ size } = favorites) => words(choose ? "chosenOf" : "favoriteCount", { n: size, count: choose });

  function tell() {
    const count = favorites.size;
    for (const item of items) one(".heart", item).ariaPressed = favorites.has(item.id);
    one("span", hearts).textContent = count || "";
    hearts.ariaLabel = words("favoritesLabel", { n: count });
    tray.hidden = !count;
    one("#chosen").textContent = counted();
    const kept = store.keeps ? "kept" : "keepsNothing";
    one("#kept").textContent = words(choose && count > choose ? "moreThanAsked" : kept, { n: count - choose });
    one(".pile").replaceChildren(...[...favorites.values()].slice(-4).map(picture));
    if (!one(".viewer[open]")) gallery.filter();
  }
  gallery.filter = () => {
    one(".none").hidden = !isOnly || favorites.size > 0;
    gallery.update();
  };

  // The address says whether they are shown alone; that of a picture says nothing.
  function follow() {
    if (document.getElementById(location.hash.slice(1))?.matches("li")) return;
    isOnly = location.hash === "#favorites";
    if (isOnly) one("#search").value = "";
    hearts.ariaCurrent = isOnly || null;
    gallery.filter();
    if (isOnly) scrollTo(0, 0);
  }
  addEventListener("popstate", follow);
  hearts.onclick = (event) => {
    if (!isOnly) return;
    event.preventDefault();
    history.back();
  };

  const line = (text) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
  const told = (word, text) => (line(text) ? [`${word}: ${line(text)}`] : []);
  const lines = () => [
    "mediabatch-selection/1",
    `gallery: ${dataset.gallery} ${line(dataset.title)}`,
    ...told("from", who.value),
    ...note.value.split("\n").flatMap((text) => told("note", text)),
    "",
    ...[...favorites].map(([id, [title]]) => `${id}  ${line(title)}`),
    "",
  ];
  who.value = store.get("who", "");
  who.onchange = () => store.set("who", who.value);
  one("#send").onclick = () => ((said.textContent = ""), sheet.showModal());
  one(".close", sheet).onclick = () => sheet.close();

  one("#save").onclick = () => {
    const download = `selection-${favorites.size}.txt`;
    const file = new Blob([lines().join("\r\n")], { type: "text/plain" });
    element("a", { href: URL.createObjectURL(file), download }).click();
    said.textContent = words("saved", { file: download });
  };
  one("#copy").onclick = () => {
    // A page of a plain server has no other way to the clipboard.
    const box = element("textarea", { value: lines().join("\n") });
    sheet.append(box);
    box.select();
    if (document.execCommand("copy")) said.textContent = words("copied");
    box.remove();
  };
  one("#mail").onclick = () => {
    const [subject, text] = [words("mailSubject", dataset), lines().join("\r\n")].map(encodeURIComponent);
    // Mail programs cut long addresses.
    if (text.length > 6000) said.textContent = words("tooLong");
    else location.href = `mailto:?subject=${subject}&body=${text}`;
  };
  one("#print").onclick = () => {
    const cell = ([id, facts]) => element("li", {}, picture(facts), element("b", { dir: "auto", textContent: facts[0] }), id);
    one(".list ul").replaceChildren(...[...favorites].map(cell));
    one(".list p").textContent = [counted(), line(who.value), note.value].filter(Boolean).join(" · ");
    sheet.close();
    classList.add("listing");
    print();
    classList.remove("listing");
  };

  tell();
  follow();
}
