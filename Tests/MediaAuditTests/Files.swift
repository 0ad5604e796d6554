import Glibc
import MediaAudit

struct PosixError: Error {
  var number: Int32
}

func createFile(_ path: String, flags: Int32 = 0) throws -> Int32 {
  let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | flags, 0o600)
  guard descriptor >= 0 else { throw PosixError(number: errno) }
  return descriptor
}

func openFolder(_ path: String) throws -> Int32 {
  let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard descriptor >= 0 else { throw PosixError(number: errno) }
  return descriptor
}

func closeFile(_ descriptor: Int32) {
  close(descriptor)
}

func writeFile(_ path: String, _ bytes: [UInt8]) throws {
  unlink(path)
  let descriptor = try createFile(path)
  defer { close(descriptor) }
  guard write(descriptor, bytes, bytes.count) == bytes.count else {
    throw PosixError(number: errno)
  }
}
