// The sentences of a page in a person's language: that of ?lang=, else of the browser, else the one that it was made in.
// The table is the script languages/TAG.js; sentences and dates of the page are exchanged by their attributes.
"use strict";

const words = (key, values = {}) => {
  const forms = words.table?.[key] ?? key;
  const text = forms.other ? (forms[words.plural.select(values.n)] ?? forms.other) : forms;
  const value = (part) => (typeof part === "number" ? words.number.format(part) : part);
  return text.replace(/{(\w+)}/g, (_, name) => value(values[name]));
};

{
  const { dataset, src } = document.currentScript;
  const { documentElement: html } = document;
  const tags = dataset.languages.split(" ");
  const find = (wanted) => {
    try {
      const { language, script } = new Intl.Locale(wanted).maximize();
      return [wanted, language, `${language}-${script}`].find((tag) => tags.includes(tag));
    } catch {
      return undefined;
    }
  };
  const wanted = [new URLSearchParams(location.search).get("lang"), ...navigator.languages, html.lang].find(find);
  html.lang = find(wanted);
  html.dir = ["ar", "he"].includes(html.lang) ? "rtl" : "ltr";
  // Digits and calendar are the same in all languages.
  const locale = new Intl.Locale(wanted, { calendar: "gregory", numberingSystem: "latn" });
  words.locale = locale;
  words.plural = new Intl.PluralRules(locale);
  words.number = new Intl.NumberFormat(locale);
  words.size = (bytes) => {
    const [one, unit] = bytes < 1e6 ? [1e3, "kilobyte"] : bytes < 1e9 ? [1e6, "megabyte"] : [1e9, "gigabyte"];
    return new Intl.NumberFormat(locale, { style: "unit", unit, maximumSignificantDigits: 3 }).format(bytes / one);
  };
  words.take = (table) => (words.table = table);

  const format = (options) => new Intl.DateTimeFormat(locale, options);
  const month = format({ year: "numeric", month: "long" });
  const monthAlone = format({ month: "long" });
  const day = format({ weekday: "short", month: "short", day: "numeric" });
  const whole = format({ dateStyle: "long" });
  const date = (text) => new Date(`${text.replace("--", "2000-").padEnd(10, "-01")}T00:00`);
  // The weekday and the rest; where the weekday is last there is the rest alone.
  function partsOf(text) {
    const parts = day.formatToParts(date(text));
    const count = parts[0].type === "weekday" ? 2 : 0;
    return [parts.slice(0, count), parts.slice(count)].map((some) => some.map(({ value }) => value).join(""));
  }
  // A month (2025-08, --07), or what is between two months or days.
  words.date = (text) => {
    const [first, last = first] = text.split("/");
    const style = { 4: monthAlone, 7: month, 10: whole }[first.length];
    return style.formatRange(date(first), date(last));
  };
  words.show = (from = document) => {
    if (!words.table) return;
    const each = (name, put) => {
      for (const part of from.querySelectorAll(`[data-${name}]`)) put(part, part.dataset[name]);
    };
    each("text", (part, key) => (part.textContent = words(key, JSON.parse(part.dataset.values ?? "{}"))));
    each("label", (part, key) => part.setAttribute("aria-label", words(key)));
    each("hint", (part, key) => (part.title = words(key) + (part.dataset.key ? ` (${part.dataset.key})` : "")));
    each("place", (part, key) => (part.placeholder = words(key)));
    each("number", (part, number) => (part.textContent = words.number.format(number)));
    each("length", (part, bytes) => (part.textContent = words.size(bytes)));
    each("date", (part, text) => {
      if (part.children.length) partsOf(text).forEach((value, index) => (part.children[index].textContent = value));
      else part.textContent = words.date(text);
    });
  };
  // It stands before the scripts that use it.
  document.write(`<script defer src="${new URL(`languages/${html.lang}.js`, src)}"></script>`);
}
