internal import Glibc
package import MediaFileSystem
package import MediaModel

/// What the list of a `.tgz` leaves for those who read its files: the texts of JSON files, and the points from which the
/// others are inflated. They stand in a file without a name, about a 250th of the archive.
package final class ArchiveSpool {
  /// Bytes of the spool.
  package struct Place {
    fileprivate var offset: Int64
    fileprivate var length: Int
  }

  private let writable: Descriptor
  private let readable: Descriptor
  /// The bytes that it has.
  package private(set) var length: Int64 = 0

  /// Uses an empty file; what writes and what reads may be one descriptor.
  package init(writing writable: Descriptor, reading readable: Descriptor) {
    (self.writable, self.readable) = (writable, readable)
  }

  /// Keeps bytes.
  ///
  /// - Throws: `FileSystemError`, out of space among others.
  package func add(_ bytes: [UInt8]) throws(FileSystemError) -> Place {
    try writable.write(bytes)
    defer { length += Int64(bytes.count) }
    return Place(offset: length, length: bytes.count)
  }

  /// Reads bytes again.
  ///
  /// - Throws: `FileSystemError`, also where they are not there.
  package func bytes(at place: Place) throws(FileSystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: place.length)
    let count = try bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(FileSystemError) in try readable.read(into: buffer, at: UInt64(place.offset)) }
    }.get()
    guard count == place.length else {
      throw FileSystemError(call: "read", path: readable.path, errno: EIO)
    }
    return bytes
  }
}

/// The points from which one archive can be inflated, with their windows in a spool.
package struct InflatePoints {
  private var points: [(point: InflatePoint, window: ArchiveSpool.Place)] = []
  private let fileSize: Int64

  /// - Parameter fileSize: The bytes of the archive.
  package init(fileSize: Int64) { self.fileSize = fileSize }

  /// The bytes that all before the last point become.
  package var lastOutput: Int64 { points.last?.point.output ?? 0 }

  /// Keeps a point that a worker has sent.
  ///
  /// - Throws: `FileSystemError` of the spool.
  /// - Returns: False for one that is not behind the last by what the worker keeps apart, or not in the archive.
  package mutating func add(_ point: InflatePoint, to spool: ArchiveSpool) throws(FileSystemError) -> Bool {
    let last = points.last?.point
    guard point.input <= fileSize, point.input - (last?.input ?? 0) >= InflatePoint.inputStep,
      point.output - (last?.output ?? 0) >= InflatePoint.outputStep
    else { return false }
    let place = try spool.add(point.window)
    var bare = point
    bare.window = []
    points.append((bare, place))
    return true
  }

  /// Finds the point from which a file is inflated.
  ///
  /// - Returns: Nil for the archive's beginning; and the bytes between the two, which are inflated for nothing.
  /// - Throws: `FileSystemError` of the spool.
  package func last(
    before entry: ArchiveEntry,
    in spool: ArchiveSpool
  ) throws(FileSystemError) -> (point: InflatePoint?, way: Int64) {
    guard let (bare, window) = points.last(where: { $0.point.output <= entry.header }) else {
      return (nil, entry.header)
    }
    var point = bare
    point.window = try spool.bytes(at: window)
    return (point, entry.header - point.output)
  }
}
