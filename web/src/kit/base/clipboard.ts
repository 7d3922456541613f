/** @returns whether the text is in the clipboard: pages without TLS have none, and a browser may refuse */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
