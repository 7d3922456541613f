// Runs before the first paint, so that a chosen theme does not flash. A separate file: inline scripts are blocked.
try {
  const theme = localStorage.getItem('sextant.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is not available to this page: the system's theme applies.
}
