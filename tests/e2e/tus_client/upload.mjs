// Sends a file in pieces, tells where that begins and ends, and at which address.
//
//   node upload.mjs <service> <key> <file> [--from <address of an upload>] [--piece <bytes>] [--stop-after <bytes>] [--give-up]
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import * as tus from "tus-js-client";

const { positionals: [service, key, file], values } = parseArgs({
  allowPositionals: true,
  options: {
    from: { type: "string" }, piece: { type: "string" }, "stop-after": { type: "string" }, "give-up": { type: "boolean" },
  },
});
const headers = { "x-api-key": key, "x-learning-platform-code": "main" };
const stopAfter = Number(values["stop-after"] ?? Infinity);
const told = { began_at: null, came_to: 0 };

function tell(upload) {
  const media = told.media ?? null;
  console.log(JSON.stringify({ ...told, media, address: upload.url }));
}

const { size } = await stat(file);
await new Promise((resolve, reject) => {
  const upload = new tus.Upload(createReadStream(file), {
    endpoint: `${service}/v1/media_uploads`,
    uploadUrl: values.from,
    uploadSize: size,
    chunkSize: Number(values.piece ?? Infinity),
    retryDelays: [100, 500, 1000],
    metadata: { filename: basename(file), filetype: "audio/wav", title: "Ein Ton ♪" },
    headers,
    onProgress(sent) {
      told.began_at ??= sent;
    },
    async onChunkComplete(_, accepted) {
      told.came_to = accepted;
      if (accepted < stopAfter || accepted === size) return;
      await upload.abort(Boolean(values["give-up"]));
      tell(upload);
      resolve();
    },
    onSuccess({ lastResponse }) {
      told.media = lastResponse.getHeader("Content-Location");
      tell(upload);
      resolve();
    },
    onError: reject,
  });
  upload.start();
});
