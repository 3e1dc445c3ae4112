// Light or dark: the stored choice, else the system's preference. Runs before the page is drawn, so
// that it never flashes in the other colours.

(() => {
  const KEY = "grammax.theme";
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");

  const kept = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // storage is switched off
    }
  };
  const keep = (theme) => {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // without storage, the choice lasts as long as the page
    }
  };
  const current = () => root.dataset.theme ?? (dark.matches ? "dark" : "light");
  const other = () => (current() === "dark" ? "light" : "dark");

  const before = kept();
  if (before === "dark" || before === "light") root.dataset.theme = before;

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const name = () => {
      button.textContent = other() === "dark" ? "Dark" : "Light";
      button.setAttribute("aria-label", `Switch to ${other()} colours`);
    };
    button.addEventListener("click", () => {
      root.dataset.theme = other();
      keep(root.dataset.theme);
      name();
    });
    dark.addEventListener("change", name);
    name();
  });
})();
