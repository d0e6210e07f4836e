import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// `base: "./"`: the page works from any static host under any path.
export default defineConfig({
  base: "./",
  plugins: [react()],
  worker: { format: "es" },
  build: { target: "es2023", chunkSizeWarningLimit: 5000, sourcemap: false },
  test: { include: ["src/**/*.test.ts"], testTimeout: 60_000 },
});
