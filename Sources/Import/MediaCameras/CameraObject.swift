package import MediaModel

/// A file of a camera, as the camera lists it.
package struct CameraObject: Sendable, Hashable {
  /// The most files that are listed.
  package static let maximumCount = 1_000_000
  /// The most bytes of a path, and of a name, as of a file system.
  package static let maximumPathLength = 4095
  /// The most bytes of a name.
  package static let maximumNameLength = 255
  /// The deepest folder that is listed; cameras have two or three.
  package static let maximumDepth = 32

  /// The path within the camera, such as `store_00010001/DCIM/100CANON/IMG_0001.JPG`: the first component is
  /// a card or a memory.
  package var path: ItemPath
  /// In bytes; nil where the camera does not say it, as for files of 4 GiB and more over plain PTP.
  package var size: Int64?
  /// In nanoseconds since 1970; 0 where the camera does not say it. Cameras have no time zone: their clocks are
  /// taken for UTC, so that a file has the same time whatever this machine's zone is.
  package var modified: Int64

  /// Makes a file.
  package init(path: ItemPath, size: Int64?, modified: Int64) {
    self.path = path
    self.size = size
    self.modified = modified
  }

  /// Whether a name that a camera lists can be a component of a path: not empty, `.` or `..`, without `/` and
  /// NUL, and no longer than a file system's.
  package static func isName(_ name: some Collection<UInt8>) -> Bool {
    (1...maximumNameLength).contains(name.count) && !name.contains(UInt8.slash)
      && !name.contains(0) && !name.elementsEqual(".".utf8) && !name.elementsEqual("..".utf8)
  }

  /// Whether bytes are a path that a camera can list: in a store, each component a name.
  package static func isPath(_ bytes: [UInt8]) -> Bool {
    let names = bytes.split(separator: UInt8.slash, omittingEmptySubsequences: false)
    return (2...maximumDepth + 1).contains(names.count) && bytes.count <= maximumPathLength
      && names.allSatisfy(isName)
  }
}
