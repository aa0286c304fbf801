import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const SERVICE = 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2023',
    // The first versions that support light-dark(): the fallback for older ones ignores Mantine's colour scheme.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What every screen needs is one file: it compresses better than 23 files, and takes one request.
            { name: 'frame', tags: ['$initial'], priority: 2 },
            // One file for the screens with a form, and nothing of it in the counter.
            {
              name: 'form',
              test: /node_modules[\\/](?:@mantine[\\/]form|klona|fast-deep-equal)[\\/]/,
              priority: 2,
            },
            // Small modules of many screens: a screen took up to 52 requests, most of them for less than 500 bytes.
            { name: 'small', minShareCount: 16, maxModuleSize: 3_000, priority: 1 },
          ],
        },
      },
    },
  },
  // `npm run dev -w console` serves the pages from here; everything else comes from a running service.
  server: { proxy: { '/api': SERVICE, '/images': SERVICE } },
})
