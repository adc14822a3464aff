// SPDX-License-Identifier: MIT
// run.mjs - runs a WebAssembly program that uses WASI with Node: run.mjs PROGRAM [ARGUMENT...]. The program sees the
// current folder.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const args = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args, preopens: { ".": "." }, returnOnExit: true });
const program = await WebAssembly.compile(await readFile(args[0]));
const instance = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
