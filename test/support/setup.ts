/** Runs before each test file, in its process. */
import { installCapture } from './capture.js';
import { installOperations } from './operation.js';

installOperations();
installCapture();
