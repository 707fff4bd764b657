// Tables as files that spreadsheets open.

import { saveFile } from './files.js';

/**
 * A cell. A text that a spreadsheet would take for a formula gets an apostrophe, which it shows as
 * text: names of tools and owners are what others have chosen.
 */
function cell(value) {
  if (typeof value === 'number') {
    return String(value);
  }
  const text = String(value ?? '');
  const harmless = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫−])/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The text of a file: names of columns, then a line for each row. */
export function csv(columns, rows) {
  const lines = [columns.map((one) => cell(one.key))];
  rows.forEach((row) => lines.push(columns.map((one) => cell(row[one.key]))));
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

/** Saves rows as a file. */
export function saveCsv(name, columns, rows) {
  // Spreadsheets know by the mark at the beginning that it is Unicode.
  const url = URL.createObjectURL(new Blob(['\ufeff', csv(columns, rows)], { type: 'text/csv' }));
  saveFile(url, `${name}.csv`);
  URL.revokeObjectURL(url);
}
