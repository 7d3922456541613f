/** Runs before each test file, in its process. */
import { installCapture } from '../capture/capture.js';
import { installOperations } from '../capture/operation.js';

/** Files that share a process share what is installed. */
const once = globalThis as { isCaptureInstalled?: true };

if (!once.isCaptureInstalled) {
  once.isCaptureInstalled = true;
  installOperations();
  installCapture();
}
