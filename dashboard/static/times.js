// The browser keeps the zone in which a reader has chosen to see times, for a year.
document.querySelectorAll("[data-times]").forEach((one) => {
  document.cookie = `evenkeel-times=${one.dataset.times === "utc" ? "utc" : "local"}; path=/; max-age=31536000; samesite=lax`;
});
