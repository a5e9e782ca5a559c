"""A folder whose disk forgets at a power cut what nobody asked it to sync (FUSE, by fusepy).

    lossy_disk.py DISK MOUNTPOINT [--lie]

What is written is seen at once through MOUNTPOINT and is on DISK only after fsync; names (create, rename, unlink) are on
DISK at once. SIGUSR1 is the power cut: of what was not synced a random half survives, write by write, and from then on
nothing reaches DISK any more. With --lie fsync does nothing, as on a disk that lies.
"""

import os
import random
import signal
import sys

try:
    from fusepy import FUSE, FuseOSError, Operations  # Debian's name
except ImportError:
    from fuse import FUSE, FuseOSError, Operations


class Lossy(Operations):
    def __init__(self, disk, lies):
        self.disk, self.lies = disk, lies
        # Of each file with something unsynced: what is seen, and what was done since the last sync.
        self.seen, self.pending = {}, {}
        signal.signal(signal.SIGUSR1, lambda *_: self.cut())

    def real(self, path):
        return os.path.join(self.disk, path.lstrip("/"))

    def load(self, path):
        if path not in self.seen:
            with open(self.real(path), "rb") as file:
                self.seen[path] = bytearray(file.read())
            self.pending[path] = []
        return self.seen[path]

    def put(self, path, done):
        with open(self.real(path), "r+b") as file:
            for at, data in done:
                if data is None:
                    file.truncate(at)
                else:
                    file.seek(at)
                    file.write(data)

    def cut(self):
        for path, done in self.pending.items():
            try:
                self.put(path, [one for one in done if random.random() < 0.5])
            except FileNotFoundError:
                pass
        os._exit(0)

    def getattr(self, path, fh=None):
        try:
            st = os.lstat(self.real(path))
        except OSError as error:
            raise FuseOSError(error.errno)
        keys = ("st_atime", "st_ctime", "st_gid", "st_mode", "st_mtime", "st_nlink", "st_size", "st_uid")
        told = {key: getattr(st, key) for key in keys}
        if path in self.seen:
            told["st_size"] = len(self.seen[path])
        return told

    def readdir(self, path, fh):
        return [".", "..", *os.listdir(self.real(path))]

    def create(self, path, mode, fi=None):
        os.close(os.open(self.real(path), os.O_CREAT | os.O_WRONLY, mode))
        self.load(path)
        return 0

    def open(self, path, flags):
        self.load(path)
        return 0

    def read(self, path, size, offset, fh):
        return bytes(self.load(path)[offset : offset + size])

    def write(self, path, data, offset, fh):
        seen = self.load(path)
        if len(seen) < offset:
            seen.extend(bytes(offset - len(seen)))
        seen[offset : offset + len(data)] = data
        self.pending[path].append((offset, bytes(data)))
        return len(data)

    def truncate(self, path, length, fh=None):
        seen = self.load(path)
        del seen[length:]
        seen.extend(bytes(length - len(seen)))
        self.pending[path].append((length, None))

    def fsync(self, path, datasync, fh):
        if not self.lies and path in self.pending:
            self.put(path, self.pending[path])
            self.pending[path] = []
        return 0

    def rename(self, old, new):
        os.rename(self.real(old), self.real(new))
        for kept in (self.seen, self.pending):
            kept.pop(new, None)
            for path in [p for p in kept if p == old or p.startswith(old + "/")]:
                kept[new + path[len(old) :]] = kept.pop(path)

    def unlink(self, path):
        os.unlink(self.real(path))
        self.seen.pop(path, None)
        self.pending.pop(path, None)

    def mkdir(self, path, mode):
        os.mkdir(self.real(path), mode)

    def rmdir(self, path):
        os.rmdir(self.real(path))

    def chmod(self, path, mode):
        os.chmod(self.real(path), mode)

    def chown(self, path, uid, gid):
        pass

    def utimens(self, path, times=None):
        pass

    def flush(self, path, fh):
        return 0

    def fsyncdir(self, path, datasync, fh):
        return 0

    def statfs(self, path):
        st = os.statvfs(self.disk)
        keys = ("f_bavail", "f_bfree", "f_blocks", "f_bsize", "f_favail", "f_ffree", "f_files", "f_flag", "f_frsize", "f_namemax")
        return {key: getattr(st, key) for key in keys}


if __name__ == "__main__":
    FUSE(Lossy(sys.argv[1], "--lie" in sys.argv), sys.argv[2], nothreads=True, foreground=True)
