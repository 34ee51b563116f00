import type { Telemetry } from '#shared/telemetry/telemetry.ts'
import type { MachineOptions } from '../machine/machine-options.ts'

/** Counts how machines come to their images, and what is made ready before they want it. */
export function meterImages({
  count,
  observe,
}: Pick<Telemetry, 'count' | 'observe'>): Required<Pick<MachineOptions, 'onHad' | 'onWarmed'>> {
  return {
    onHad(how, took_ms) {
      count('bench_agent_images_total', { how })
      observe('bench_agent_image_seconds', { how }, took_ms / 1000)
    },
    onWarmed(what, took_ms) {
      count('bench_agent_images_ahead_total', { what })
      if (what === 'fetched') count('bench_agent_images_ahead_seconds_total', {}, took_ms / 1000)
    },
  }
}
