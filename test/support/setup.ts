/** Runs before each test file, in its process. */
import { installCapture } from '../capture/capture.js';
import { installOperations } from '../capture/operation.js';

installOperations();
installCapture();
