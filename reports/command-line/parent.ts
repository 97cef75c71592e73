/** How often a command looks whether its parent still lives. */
const INTERVAL_MS = 500;

/**
 * Stops this process, as SIGTERM would, when the shell dies that npm started it in. A signal that ends npm reaches only
 * that shell, and the run would go on without anybody who could stop it.
 */
export function stopWithParent(): void {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(parent)) return;
    clearInterval(timer);
    if (!process.emit("SIGTERM", "SIGTERM")) process.exit(143);
  }, INTERVAL_MS);
  timer.unref();
}

/** On Windows, a process keeps the id of a parent that has ended. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
