internal import MediaModel

/// Why a camera, or one of its files, cannot be read.
package struct CameraError: Error, Sendable, Hashable {
  /// The kind of failure, for a program; ``description`` is for people.
  package enum Code: UInt8, Sendable, Hashable, CaseIterable {
    /// libgphoto2 is not installed, or does not load.
    case librariesMissing = 1
    /// No camera is connected, or not the one that is meant.
    case notConnected
    /// Several cameras are connected, and nothing says which is meant.
    case severalConnected
    /// Another program, such as a desktop's file manager, uses it.
    case busy
    /// The process could not be started or confined.
    case notConfined
    /// It does not answer any more: unplugged, switched off, or its process has ended.
    case unplugged
    /// It has said nothing for longer than it may.
    case timeout
    /// The camera has listed a file that it does not have any more.
    case objectGone
    /// The camera sent another number of bytes than it had announced.
    case sizeDiffers
    /// A file is longer than the run's limit.
    case tooLarge
    /// It has more files than a run can list.
    case tooManyObjects
    /// The process said what it must not say.
    case protocolViolation
    /// The library's disk is full, or the file is longer than a file may be.
    case cannotWrite
    /// The run was interrupted.
    case interrupted
    /// Anything else that libgphoto2 says.
    case failed
  }

  /// The kind of failure.
  package var code: Code
  /// The words of libgphoto2 or of the kernel; empty when there is nothing to add.
  package var detail: String

  /// Makes an error.
  package init(_ code: Code, _ detail: String = "") {
    self.code = code
    self.detail = detail
  }

  /// Whether the camera cannot be read any more, and not only one file.
  package var endsReading: Bool {
    switch code {
    case .objectGone, .sizeDiffers, .tooLarge, .failed, .cannotWrite: false
    default: true
    }
  }

  /// What a person can do.
  package var advice: String {
    switch code {
    case .librariesMissing: "Install libgphoto2-6 and libgphoto2-port12."
    case .notConnected, .unplugged:
      "Connect it by USB, switch it on and unlock it; a phone has to allow the transfer of pictures."
    case .severalConnected: "Disconnect the others, or name one by its serial number."
    case .busy: "End the program that uses it, or eject it in the file manager."
    case .timeout: "Switch it off and on again."
    case .objectGone, .sizeDiffers, .interrupted: "Run again."
    case .tooLarge: "Raise \"limits\" in the manifest, or leave the file out."
    case .tooManyObjects: "Copy its files to a folder, and import that."
    case .cannotWrite: "Make room on the library's disk."
    case .notConfined, .protocolViolation, .failed: "Connect it again, then run again."
    }
  }
}

extension CameraError: CustomStringConvertible {
  /// One line for a person.
  package var description: String {
    let what =
      switch code {
      case .librariesMissing: "libgphoto2 cannot be loaded"
      case .notConnected: "no such camera is connected"
      case .severalConnected: "several cameras are connected"
      case .busy: "another program uses the camera"
      case .notConfined: "the process that reads the camera could not be confined"
      case .unplugged: "the camera was disconnected, or does not answer any more"
      case .timeout: "the camera sent nothing for too long"
      case .objectGone: "the camera does not have the file any more"
      case .sizeDiffers: "the camera sent a file of another length than it had listed"
      case .tooLarge: "the file is longer than the limit"
      case .tooManyObjects: "the camera has more than \(CameraObject.maximumCount) files"
      case .protocolViolation: "the process that reads the camera sent a wrong answer"
      case .cannotWrite: "what the camera sent could not be written"
      case .interrupted: "interrupted"
      case .failed: "the camera did not send the file"
      }
    return detail.isEmpty ? what : "\(what) (\(EscapedText.printable(detail)))"
  }
}
