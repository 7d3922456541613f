import { useStore } from '../kit/base/store.js';
import { themeStore, toggleTheme } from '../kit/base/theme.js';
import { Icon } from '../kit/display/icon.js';

export function ThemeButton() {
  const theme = useStore(themeStore);
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <button
      type="button"
      className="button quiet icon"
      onClick={toggleTheme}
      aria-label={`Use the ${other} theme`}
      title={`Use the ${other} theme`}
    >
      <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
    </button>
  );
}
