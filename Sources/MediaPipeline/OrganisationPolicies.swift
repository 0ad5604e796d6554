internal import Crypto
internal import Glibc
internal import MediaFileSystem
package import MediaManifest
internal import MediaModel

/// The policy files that a run hears: the system's, and those named on the command line.
package struct OrganisationPolicies: Sendable {
  /// Only root can have written it, so nobody else can take a denial away.
  package static let systemPath = "/etc/mediabatch/policy.json"

  package private(set) var policies: [OrganisationPolicy] = []
  /// SHA-256 of each file, hexadecimal, in the same order.
  private(set) var sha256s: [String] = []

  /// Bytes; a policy larger than this is a mistake.
  private static let maximumLength = 16 << 20

  /// Reads the system's policy, when there is one, and then `files`, which have to be there.
  ///
  /// - Throws: ``LoadedManifest/Mistakes`` for a file that cannot be read or understood, and for a
  ///   system policy that somebody but root could have written.
  init(files: [String]) throws(LoadedManifest.Mistakes) {
    let system = [UInt8](Self.systemPath.utf8)
    if try Self.isThere(system) {
      try Self.checkWriters(of: system)
      try read(Self.systemPath)
    }
    for file in files { try read(file) }
  }

  /// A policy that cannot be looked for may be there, and deny; so may one behind a link.
  private static func isThere(_ path: [UInt8]) throws(LoadedManifest.Mistakes) -> Bool {
    var status = stat()
    let found = (path + [0]).withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        bytes.baseAddress.map { lstat($0, &status) } ?? -1
      }
    }
    if found != 0 {
      let error = FileSystemError(call: "lstat", path: path, errno: errno)
      if error.isMissing { return false }
      throw cannotRead(systemPath, error)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw LoadedManifest.Mistakes(
        code: "policyNotTrusted",
        text:
          "\(systemPath) is a link or no file, so what it denies cannot be trusted. As root, put "
          + "the policy itself there."
      )
    }
    return true
  }

  private static func checkWriters(of path: [UInt8]) throws(LoadedManifest.Mistakes) {
    let folder = Array(path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
    do {
      for place in [folder, path] {
        guard try FileSystem.ownership(ofPath: place).isWritableOnly(by: 0) else {
          let name = String(decoding: place, as: UTF8.self)
          throw LoadedManifest.Mistakes(
            code: "policyNotTrusted",
            text: "\(name) could have been written by somebody other than root, so what it denies "
              + "cannot be trusted. As root, look at it, then: chown root \(name) && chmod go-w "
              + "\(name)"
          )
        }
      }
    } catch let error as FileSystemError {
      throw cannotRead(systemPath, error)
    } catch let error as LoadedManifest.Mistakes {
      throw error
    } catch {
      throw LoadedManifest.Mistakes(code: "cannotRead", text: "\(systemPath): \(error)")
    }
  }

  private mutating func read(_ path: String) throws(LoadedManifest.Mistakes) {
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.readSmallFile([UInt8](path.utf8), limit: Self.maximumLength)
    } catch {
      throw Self.cannotRead(path, error)
    }
    let reading = OrganisationPolicy.read(bytes)
    guard let policy = reading.policy else {
      throw LoadedManifest.Mistakes(reading.mistakes, in: path)
    }
    policies.append(policy)
    sha256s.append(Hexadecimal.text(SHA256.hash(data: bytes)))
  }

  private static func cannotRead(
    _ path: String,
    _ error: FileSystemError
  ) -> LoadedManifest.Mistakes {
    LoadedManifest.Mistakes(
      code: "cannotRead",
      text: "The policy \"\(EscapedText.printable(path))\" cannot be read: "
        + "\(FileSystemError.text(error.errno)). Nothing is decided without it; it has to be a "
        + "regular file of at most \(maximumLength >> 20) MiB."
    )
  }
}
