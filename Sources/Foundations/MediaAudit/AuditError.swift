internal import Glibc

/// The reason why the audit log could not be written or read.
package struct AuditError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Code: String, CaseIterable, Sendable, Hashable {
    /// The bytes could not be written; what was flushed before is safe.
    case cannotWrite
    /// The file system is full, or a quota or file size limit is reached.
    case noSpace
    /// The bytes were written, but the device did not confirm them: only a new descriptor helps.
    case cannotFlush
    /// The file has other bytes than the writer's, fewer of them, or would append wherever it is told to write.
    case notNewFile
    /// A line of ours that is no record: it would be in the chain and not in the tree.
    case notARecord
    /// The clock says a year of which no record is.
    case badClock
    /// The log, or its folder, could not be read.
    case cannotRead
    /// The records are not those of the tree that the catalogue or a signed head knows.
    case differs
  }

  package var code: Code
  /// The file's name in the folder of the log; empty for the folder itself.
  package var file: String
  /// The C library's number for the cause, or 0.
  package var errorNumber: Int32

  package init(_ code: Code, file: String, errorNumber: Int32 = 0) {
    self.code = code
    self.file = file
    self.errorNumber = errorNumber
  }

  /// Whether a folder, a link, a FIFO, a socket or a device stands in the place of the file.
  package var isNoFile: Bool {
    code == .cannotRead && !file.isEmpty && [EINVAL, ELOOP, ENXIO].contains(errorNumber)
  }

  /// A sentence for a person; it names the file, never its content.
  package var description: String {
    let name = file.isEmpty ? "The folder of the audit log" : "The audit file \"\(file)\""
    let cause = errorNumber == 0 ? "" : " (\(String(cString: strerror(errorNumber))))"
    return switch code {
    case .cannotWrite: "\(name) could not be written\(cause)."
    case .noSpace: "\(name) could not be written: there is no room left\(cause)."
    case .cannotFlush: "\(name) was written, but the disk did not confirm it\(cause)."
    case .notNewFile: "\(name) was changed by another program during this run."
    case .notARecord: "\(name) cannot hold one of its records."
    case .badClock: "\(name) could not be written: the clock is not in the years 1970 to 9998."
    case .differs:
      "\(name) is not what its run wrote: `mediabatch audit verify` says where it differs."
    case .cannotRead where isNoFile: "\(name) is not a regular file, so it is not read."
    case .cannotRead: "\(name) could not be read\(cause)."
    }
  }

  /// The error of a write that the C library refused with `errorNumber`.
  static func writing(_ file: String, _ errorNumber: Int32) -> AuditError {
    let isFull = [ENOSPC, EDQUOT, EFBIG].contains(errorNumber)
    return AuditError(isFull ? .noSpace : .cannotWrite, file: file, errorNumber: errorNumber)
  }
}
