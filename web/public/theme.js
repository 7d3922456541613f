// Runs before the first paint, so that a chosen theme does not flash; a file of its own, since the page takes no inline script.
try {
  const theme = localStorage.getItem('sextant.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed to this page: the system's theme stands.
}
