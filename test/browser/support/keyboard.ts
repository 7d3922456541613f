/** Keyboard actions of a user without a pointer. */
import type { Page } from 'playwright-core';

export type Role = 'link' | 'button' | 'checkbox' | 'textbox' | 'menuitem';

const PRESSES_MAX = 80;

/** Moves the focus to the element with the Tab key. @throws Error it cannot be reached */
export async function tabTo(page: Page, role: Role, name: string): Promise<void> {
  const target = page.getByRole(role, { name, exact: role !== 'checkbox' });
  await target.waitFor();
  const focused = target.and(page.locator(':focus'));
  for (let presses = 0; presses < PRESSES_MAX; presses += 1) {
    if (await focused.count()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The ${role} “${name}” cannot be reached by the keyboard`);
}

export async function press(page: Page, role: Role, name: string): Promise<void> {
  await tabTo(page, role, name);
  await page.keyboard.press('Enter');
}

/** Replaces the value of a field. */
export async function enter(page: Page, name: string, text: string): Promise<void> {
  const field = page.getByLabel(name, { exact: true });
  await field.waitFor();
  const focused = field.and(page.locator(':focus'));
  for (let presses = 0; presses < PRESSES_MAX && !(await focused.count()); presses += 1)
    await page.keyboard.press('Tab');
  await focused.waitFor();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}
