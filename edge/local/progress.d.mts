export function tellProgress<T>(what: string, work: Promise<T>, out?: { isTTY?: boolean; write(text: string): unknown }): Promise<T>
