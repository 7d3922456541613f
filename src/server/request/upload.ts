/**
 * Files in multipart requests, per the GraphQL multipart request specification. graphql-upload-ts parses the request and spools its
 * files to the folder for temporary files. What it misses is rejected here: parts without a reference, files that are used twice,
 * truncated requests. The operation comes before its files, so a caller who may not send it is rejected before any file is read. The
 * operation runs when everything has arrived completely.
 */
import { unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FileUpload, Upload as IncomingUpload, processRequest, ReadAfterDestroyedError } from 'graphql-upload-ts';
import { InputError, LimitError, SextantError } from '../../shared/errors.js';
import type { Viewer } from '../identity/viewer.js';
import { OperationRejected } from './failure.js';
import { isRecord } from './parameters.js';
import { forcesPreflight, PREFLIGHT_HEADERS } from './preflight.js';
import { sendBusy, sendErrors } from './reply.js';
import { OwnSlotsTaken, UploadSlots } from './upload-slots.js';

/** A file of a multipart request, for resolvers. */
export interface Upload {
  /** The client's name for it; for display only, never a path. */
  readonly fileName: string;
  /** The file's bytes; may be called once. */
  open(): Readable;
}

const FILES_MAX = 10;
const FILE_NAME_LENGTH_MAX = 255;

interface Bounds {
  readonly MAX_BODY_BYTES: number;
  readonly MAX_UPLOAD_BYTES: number;
}

/** Checks an operation before its files are read. @throws OperationRejected @throws SextantError the viewer may not send it */
export type RequireAllowed = (operation: unknown, viewer: Viewer) => void;

/** Accepts multipart requests in this scope, whose viewers are known: the body becomes the operation, with files in its variables. */
export function registerUploads(app: FastifyInstance, config: Bounds, requireAllowed: RequireAllowed): UploadSlots {
  const slots = new UploadSlots();
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null)); // parsed below
  app.addHook('preHandler', async (request, reply) => {
    if (!isMultipart(request)) return;
    if (!forcesPreflight(request))
      // pages of other origins can send multipart requests
      throw new SextantError('BAD_REQUEST', `A multipart request requires the header ${PREFLIGHT_HEADERS[0]}`);
    if (request.viewer.kind === 'visitor') throw new SextantError('UNAUTHENTICATED', 'Sign in to upload files');
    const admit = (operation: unknown) => {
      requireAllowed(operation, request.viewer);
      const leave = slots.take(request.viewer);
      if (reply.raw.closed)
        leave(); // data of a disconnected client may still be parsed
      else reply.raw.once('close', leave);
    };
    try {
      request.body = await receive(request, reply, config, admit);
    } catch (error) {
      reply.header('connection', 'close'); // the rest of the request is not awaited
      if (error instanceof OperationRejected) return sendErrors(request, reply, 400, error.errors);
      if (error instanceof OwnSlotsTaken) return sendBusy(request, reply, 429, error);
      throw error;
    }
  });
  return slots;
}

/**
 * @param admit receives the operation before its files are read; what it throws is reported
 * @throws SextantError the request is truncated, violates the specification or exceeds a limit; its temporary files are removed
 */
async function receive(
  request: FastifyRequest,
  reply: FastifyReply,
  bounds: Bounds,
  admit: (operation: unknown) => void,
): Promise<unknown> {
  const inspection = new Inspection(admit);
  try {
    const operation = await processRequest<unknown>(inspection.of(request.raw), reply.raw, {
      maxFieldSize: bounds.MAX_BODY_BYTES,
      maxFileSize: bounds.MAX_UPLOAD_BYTES,
      maxFiles: FILES_MAX,
    });
    if (!isRecord(operation)) throw new SextantError('BAD_REQUEST', 'A request must contain exactly one operation');
    const variables = await replaceUploads(operation.variables, reply);
    await inspection.ended;
    return { ...operation, variables };
  } catch (error) {
    throw toRejection(inspection.rejection ?? error, bounds);
  }
}

/** Replaces the placeholders for files in the variables with received files. */
async function replaceUploads(value: unknown, reply: FastifyReply): Promise<unknown> {
  if (value instanceof IncomingUpload) return SpooledUpload.receive(value, reply);
  if (Array.isArray(value)) return Promise.all(value.map((item) => replaceUploads(item, reply)));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(async ([key, item]) => [key, await replaceUploads(item, reply)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

class SpooledUpload implements Upload {
  readonly fileName: string;
  readonly #file: FileUpload;
  readonly #reply: FastifyReply;
  #opened = false;

  private constructor(file: FileUpload, reply: FastifyReply) {
    this.fileName = nameOf(file);
    this.#file = file;
    this.#reply = reply;
  }

  /** Waits until the whole file is spooled. */
  static async receive(upload: IncomingUpload, reply: FastifyReply): Promise<Upload> {
    const file = await upload.promise;
    // graphql-upload-ts loses track of a file when its part is repeated.
    reply.raw.once('close', () => file.capacitor.release());
    hideSpool(file.capacitor);
    await finished(file.capacitor as Writable).catch((error) => {
      throw reasonOf(file) ?? error;
    });
    return new SpooledUpload(file, reply);
  }

  open(): Readable {
    if (this.#opened) throw new InputError('file', 'can be used only once in an operation');
    this.#opened = true;
    const stream = this.#file.createReadStream();
    // The temporary file is deleted when the last reader has ended, including one that stopped halfway.
    this.#reply.raw.once('close', () => stream.destroy());
    return stream;
  }
}

/**
 * Unlinks the temporary file as soon as it is open: its data lives as long as this process has it open, so a killed process leaves
 * nothing behind. Where a file system does not allow that, the file is deleted when the request ends.
 */
function hideSpool(capacitor: FileUpload['capacitor']): void {
  const hide = () => void unlink(String(Reflect.get(capacitor, '_path'))).catch(() => undefined);
  if (typeof Reflect.get(capacitor, '_fd') === 'number') hide();
  else capacitor.once('ready', hide);
}

/** Why graphql-upload-ts gave up on a file. It throws this to readers of the file; the spool itself only reports its removal. */
function reasonOf(file: FileUpload): unknown {
  try {
    file.createReadStream().destroy();
    return null;
  } catch (error) {
    return error instanceof ReadAfterDestroyedError ? null : error;
  }
}

/** Inspects the parts before graphql-upload-ts does, and records why the request was rejected. */
class Inspection {
  rejection: Error | null = null;
  ended: Promise<void> = Promise.resolve();
  #operation: unknown;
  /** Parts named in the map that have not arrived yet. Null when the map is too long: graphql-upload-ts reports that. */
  #expected: Set<string> | null = new Set();

  readonly #admit: (operation: unknown) => void;

  constructor(admit: (operation: unknown) => void) {
    this.#admit = admit;
  }

  /** The request as graphql-upload-ts needs it, with this inspection between it and its parser. */
  of(request: IncomingMessage): Parameters<typeof processRequest>[0] {
    return {
      headers: request.headers,
      get readableEnded() {
        return request.readableEnded;
      },
      once: request.once.bind(request) as IncomingMessage['once'],
      unpipe: request.unpipe.bind(request) as IncomingMessage['unpipe'],
      resume: request.resume.bind(request) as IncomingMessage['resume'],
      pipe: (parser) => {
        this.#watch(parser as unknown as Writable);
        return request.pipe(parser);
      },
    };
  }

  #watch(parser: Writable): void {
    this.ended = finished(parser);
    this.ended.catch(() => undefined); // awaited later, or never if something else fails first
    const lookAt = (look: () => void) => {
      if (this.rejection) return; // data that arrived together with the rejected part is still parsed
      try {
        look();
      } catch (error) {
        this.rejection = error as Error;
        parser.removeAllListeners('file'); // opens no further files
        parser.destroy(this.rejection);
      }
    };
    parser.prependListener('field', (name: string, value: string, { valueTruncated }: { valueTruncated: boolean }) =>
      lookAt(() => {
        if (name === 'operations' && !valueTruncated) this.#operation = parseJson(value);
        if (name === 'map') this.#takeMap(value, valueTruncated);
      }),
    );
    parser.prependListener('file', (name: string) =>
      lookAt(() => {
        if (this.#expected?.delete(name) === false)
          throw new SextantError(
            'BAD_REQUEST',
            'The request has a part that its map does not name, or that is repeated',
          );
      }),
    );
  }

  #takeMap(text: string, isTruncated: boolean): void {
    if (isTruncated) {
      this.#expected = null;
      return;
    }
    const map = parseJson(text);
    const entries = Object.entries(isRecord(map) ? map : {}); // graphql-upload-ts reports other defects of the map
    if (entries.length > FILES_MAX)
      throw new LimitError(`The request has ${entries.length} files; at most ${FILES_MAX} are allowed`, FILES_MAX);
    for (const [part, paths] of entries) {
      if (Array.isArray(paths) && paths.length !== 1)
        throw new SextantError('BAD_REQUEST', 'A file must be mapped to exactly one variable');
      this.#expected?.add(part);
    }
    if (isRecord(this.#operation)) this.#admit(this.#operation);
  }
}

export const isMultipart = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.toLowerCase().startsWith('multipart/form-data') ?? false;

/** graphql-upload-ts reports invalid JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @returns the error itself when it is internal, such as file system errors */
function toRejection(error: unknown, { MAX_BODY_BYTES, MAX_UPLOAD_BYTES }: Bounds): unknown {
  if (error instanceof SextantError || error instanceof OperationRejected) return error;
  if (error instanceof Error && 'errno' in error) return error;
  const { status, message } = error as { status?: number; message: string };
  if (status === 413) {
    if (message.startsWith('File'))
      return new LimitError(`The request has a file of more than ${MAX_UPLOAD_BYTES} bytes`, MAX_UPLOAD_BYTES);
    if (message.includes('max file')) return new LimitError(`The request has more than ${FILES_MAX} files`, FILES_MAX);
    return new LimitError(
      `The operation, or the map of its files, is longer than ${MAX_BODY_BYTES} bytes`,
      MAX_BODY_BYTES,
    );
  }
  if (status === 400) return new SextantError('BAD_REQUEST', message);
  return new SextantError('BAD_REQUEST', 'The request is truncated, or its form data is malformed');
}

function nameOf({ filename }: FileUpload): string {
  const name = filename.split(/[/\\]/).at(-1) ?? '';
  return name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').slice(0, FILE_NAME_LENGTH_MAX) || 'unnamed';
}
