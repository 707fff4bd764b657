// Images and files that go with a message.

import { toast } from './toasts.js';
import { say } from './words.js';

const MEBIBYTE = 1024 * 1024;
const MOST_BYTES = 7 * MEBIBYTE; // in Base64 a third more, which is what the server takes
const MOST_FILES = 20;
const LARGE_IMAGE = 1.5 * MEBIBYTE;
const LONGEST_SIDE = 2048; // models do not look at more
const IMAGES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** Whether files are what is dragged over the page. */
export const hasFiles = (event) => event.dataTransfer?.types.includes('Files') ?? false;

/** Where the server has what is inside of an item. */
const HERE = /^\/api\/sessions\/[^/?#]+\/files\/-?\d+\/\d+$/;

/** Whether an address leads to nobody else. */
export const isLocal = (url) =>
  HERE.test(url) || /^data:image\/(png|jpeg|gif|webp);base64,/i.test(url);

/** Files as attachments, as far as there is room beside those that are there. */
export async function attach(files, already) {
  const taken = [];
  for (const given of files) {
    const file = await smaller(given);
    const all = [...already, ...taken];
    const bytes = all.reduce((sum, one) => sum + one.bytes, file.size);
    if (all.length === MOST_FILES) {
      toast(say('tooManyFiles', { count: MOST_FILES }));
      break;
    }
    if (bytes > MOST_BYTES) {
      toast(say('filesTooLarge', { name: given.name, limit: MOST_BYTES / MEBIBYTE }));
    } else if (file.size === 0) {
      toast(say('fileEmpty', { name: given.name }));
    } else if (IMAGES.includes(file.type) && !(await isImage(file))) {
      toast(say('notAnImage', { name: given.name }));
    } else {
      try {
        taken.push(await attachment(file));
      } catch {
        toast(say('fileUnreadable', { name: given.name })); // a folder, or gone
      }
    }
  }
  return taken;
}

/** Whether a file is the image that its name says, as far as a browser can tell. */
const isImage = (file) =>
  createImageBitmap(file).then(
    (picture) => {
      picture.close();
      return true;
    },
    () => false,
  );

async function attachment(blob, name = blob.name) {
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(blob.type)?.[0] ?? 'application/octet-stream';
  const data = await read(new Blob([blob], { type }));
  return { name: name || say('image'), image: IMAGES.includes(type), bytes: blob.size, url: data };
}

function read(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** A large picture as models look at it; everything else as it is. */
async function smaller(file) {
  if (!IMAGES.includes(file.type) || file.type === 'image/gif' || file.size <= LARGE_IMAGE) {
    return file;
  }
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
    const canvas = new OffscreenCanvas(picture.width * scale, picture.height * scale);
    canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
    return blob.size < file.size ? new File([blob], file.name, { type: blob.type }) : file;
  } catch {
    return file; // not a picture after all
  }
}

/** A message with attachments, as the server takes it. */
export function messageOf(text, attachments) {
  if (attachments.length === 0) {
    return text;
  }
  return [
    ...(text ? [{ type: 'input_text', text }] : []),
    ...attachments.map((one) =>
      one.image
        ? { type: 'input_image', image_url: one.url, detail: 'auto' }
        : { type: 'input_file', filename: one.name, file_data: one.url },
    ),
  ];
}

/** What is attached to a message that is there, to be sent again. */
export async function attachedTo({ images = [], files = [] }) {
  const all = [...images.map((url) => ({ url, name: '' })), ...files];
  return Promise.all(
    all
      .filter(({ url }) => HERE.test(url))
      .map(async ({ url, name }) => attachment(await (await fetch(url)).blob(), name)),
  );
}
