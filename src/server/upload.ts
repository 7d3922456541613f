/**
 * Files in multipart requests, as the GraphQL multipart request specification has them. graphql-upload-ts reads the request and spools
 * its files to the folder for temporary files; what it lets pass is refused here: parts that nothing refers to, files that are used
 * twice, requests that end too early. The operation comes before its files: whoever may not send it is told before a byte of them is
 * taken. It runs when everything has arrived and is whole.
 */
import { unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FileUpload, Upload as IncomingUpload, processRequest, ReadAfterDestroyedError } from 'graphql-upload-ts';
import { InputError, LimitError, SextantError } from '../shared/errors.js';
import { OperationRefused } from './operation.js';
import { isRecord } from './parameters.js';
import { forcesPreflight, PREFLIGHT_HEADERS } from './preflight.js';
import { sendBusy, sendErrors } from './reply.js';
import { OwnPlacesTaken, UploadPlaces } from './upload-places.js';
import type { Viewer } from './viewer.js';

/** A file of a multipart request, as resolvers get it. */
export interface Upload {
  /** As the client named it; for show only, never a path. */
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

/** Looks at an operation whose files have not been read. @throws OperationRefused @throws SextantError the viewer may not send it */
export type RequireAllowed = (operation: unknown, viewer: Viewer) => void;

/** Takes multipart requests in this scope, whose viewers are known: their body becomes the operation, with the files in its variables. */
export function registerUploads(app: FastifyInstance, config: Bounds, requireAllowed: RequireAllowed): UploadPlaces {
  const places = new UploadPlaces();
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null)); // read below
  app.addHook('preHandler', async (request, reply) => {
    if (!isMultipart(request)) return;
    if (!forcesPreflight(request))
      // pages of other origins can send multipart requests
      throw new SextantError('BAD_REQUEST', `A multipart request needs the header ${PREFLIGHT_HEADERS[0]}`);
    if (request.viewer.kind === 'visitor') throw new SextantError('UNAUTHENTICATED', 'Sign in before sending files');
    const admit = (operation: unknown) => {
      requireAllowed(operation, request.viewer);
      const leave = places.take(request.viewer);
      if (reply.raw.closed)
        leave(); // what a client who is gone has sent may still be parsed
      else reply.raw.once('close', leave);
    };
    try {
      request.body = await receive(request, reply, config, admit);
    } catch (error) {
      reply.header('connection', 'close'); // what is still on its way is not waited for
      if (error instanceof OperationRefused) return sendErrors(request, reply, 400, error.errors);
      if (error instanceof OwnPlacesTaken) return sendBusy(request, reply, 429, error);
      throw error;
    }
  });
  return places;
}

/**
 * @param admit is given the operation before its files are taken; what it throws is told
 * @throws SextantError the request is not whole or not as specified, or a bound is passed; its temporary files are removed
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
    if (!isRecord(operation)) throw new SextantError('BAD_REQUEST', 'One operation at a time, please');
    const variables = await replaceUploads(operation.variables, reply);
    await inspection.ended;
    return { ...operation, variables };
  } catch (error) {
    throw toRefusal(inspection.refusal ?? error, bounds);
  }
}

/** Replaces what stands for files in the variables by files that have arrived. */
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
    // graphql-upload-ts forgets a file when a part comes twice.
    reply.raw.once('close', () => file.capacitor.release());
    hideSpool(file.capacitor);
    await finished(file.capacitor as Writable).catch((error) => {
      throw reasonOf(file) ?? error;
    });
    return new SpooledUpload(file, reply);
  }

  open(): Readable {
    if (this.#opened) throw new InputError('file', 'can be used once in an operation');
    this.#opened = true;
    const stream = this.#file.createReadStream();
    // The temporary file goes when the last reader has gone: also one that stopped half-way.
    this.#reply.raw.once('close', () => stream.destroy());
    return stream;
  }
}

/**
 * Takes the temporary file's name away as soon as it is open: its bytes live as long as this process has it open, so a process that
 * is killed leaves nothing behind. Where a file system does not allow that, the file goes when the request ends.
 */
function hideSpool(capacitor: FileUpload['capacitor']): void {
  const hide = () => void unlink(String(Reflect.get(capacitor, '_path'))).catch(() => undefined);
  if (typeof Reflect.get(capacitor, '_fd') === 'number') hide();
  else capacitor.once('ready', hide);
}

/** Why graphql-upload-ts gave a file up. It tells whoever wants to read the file; the spool itself only tells how its removal went. */
function reasonOf(file: FileUpload): unknown {
  try {
    file.createReadStream().destroy();
    return null;
  } catch (error) {
    return error instanceof ReadAfterDestroyedError ? null : error;
  }
}

/** Looks at the parts before graphql-upload-ts does, and remembers why the request was refused. */
class Inspection {
  refusal: Error | null = null;
  ended: Promise<void> = Promise.resolve();
  #operation: unknown;
  /** The parts that the map names and that have not come yet. Null when the map is too long to be read: told by graphql-upload-ts. */
  #expected: Set<string> | null = new Set();

  constructor(private readonly admit: (operation: unknown) => void) {}

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
    this.ended.catch(() => undefined); // waited for later, and not at all when something else fails first
    const lookAt = (look: () => void) => {
      if (this.refusal) return; // what has arrived together with the reason is parsed all the same
      try {
        look();
      } catch (error) {
        this.refusal = error as Error;
        parser.removeAllListeners('file'); // no file of it is opened any more
        parser.destroy(this.refusal);
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
            'The request has a part that its map does not name, or that comes twice',
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
    const entries = Object.entries(isRecord(map) ? map : {}); // what else is wrong with a map is told by graphql-upload-ts
    if (entries.length > FILES_MAX)
      throw new LimitError(`The request has ${entries.length} files; at most ${FILES_MAX} are taken`, FILES_MAX);
    for (const [part, paths] of entries) {
      if (Array.isArray(paths) && paths.length !== 1)
        throw new SextantError('BAD_REQUEST', 'A file must stand for exactly one variable');
      this.#expected?.add(part);
    }
    if (isRecord(this.#operation)) this.admit(this.#operation);
  }
}

export const isMultipart = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.toLowerCase().startsWith('multipart/form-data') ?? false;

/** What is wrong with it is told by graphql-upload-ts. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @returns the error itself when it is our fault: the file system's errors */
function toRefusal(error: unknown, { MAX_BODY_BYTES, MAX_UPLOAD_BYTES }: Bounds): unknown {
  if (error instanceof SextantError || error instanceof OperationRefused) return error;
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
  return new SextantError('BAD_REQUEST', 'The request ended before its files did, or is not a well-formed form');
}

function nameOf({ filename }: FileUpload): string {
  const name = filename.split(/[/\\]/).at(-1) ?? '';
  return name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').slice(0, FILE_NAME_LENGTH_MAX) || 'unnamed';
}
