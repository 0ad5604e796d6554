internal import MediaFileSystem

/// Files that are needed only while the folder is made; they lie where its files are written.
extension ExportFolder {
  private static func asideName(_ number: Int) -> [UInt8] { Array("aside-\(number)".utf8) }

  /// Writes bytes into a file with a number.
  ///
  /// - Throws: ``ExportError``.
  func holdAside(_ bytes: [UInt8], number: Int) throws(ExportError) {
    do {
      try FileSystem.createFile(in: work, Self.asideName(number)).write(bytes)
    } catch {
      throw ExportError(error, shown)
    }
  }

  /// Opens the file with a number.
  ///
  /// - Throws: ``ExportError``.
  func heldAside(_ number: Int) throws(ExportError) -> Descriptor {
    do {
      return try FileSystem.openForReading(beneath: work, Self.asideName(number), crossMounts: false)
    } catch {
      throw ExportError(error, shown)
    }
  }

  /// Removes the file with a number.
  ///
  /// - Throws: ``ExportError``.
  func removeAside(_ number: Int) throws(ExportError) {
    do {
      try FileSystem.removeFile(in: work, Self.asideName(number))
    } catch {
      throw ExportError(error, shown)
    }
  }

  /// Makes a file without a name in the folder's file system, which is gone once no process has it open.
  ///
  /// - Returns: The file twice: open for writing, and for reading.
  /// - Throws: ``ExportError``.
  func makeNameless() throws -> (writing: Descriptor, reading: Descriptor) {
    let name = Array("nameless".utf8)
    do {
      let writing = try FileSystem.createFile(in: work, name, mode: 0o600)
      let reading = try FileSystem.openForReading(beneath: work, name, crossMounts: false)
      try FileSystem.removeFile(in: work, name)
      return (writing, reading)
    } catch {
      throw ExportError(error, shown)
    }
  }
}
