// One line below a table names the columns that a narrow window hides, as they are hidden. It stands before the script of each table.
const tellHidden = (table) => {
  const line = table.getRootNode().querySelector(".hidden-columns");
  const tell = () => {
    const heads = [...table.querySelectorAll("tr.columns > th")];
    const row = [...table.tBodies[0].rows].find(({ children, className }) => children.length === heads.length && !/fold|steady/.test(className));
    const hidden = heads.filter((head, place) => getComputedStyle(row?.children[place] ?? head).display === "none").map((head) => head.textContent || "bars");
    const [count, names] = [hidden.length, [...new Set(hidden)].join(", ")];
    line.textContent = count ? `${count} column${count > 1 ? "s" : ""} hidden: ${names}. A wider window shows ${count > 1 ? "them" : "it"}.` : "";
  };
  line.watch?.disconnect();
  line.watch = new ResizeObserver(tell);
  line.watch.observe(line.parentElement);
  tell();
};

