import Foundation
import MediaModel
import MediaTestSupport
import Synchronization
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Sounds that ffmpeg made, stripped, and looked at by programs that did not strip them.
@Suite(
  "Sounds of other programs",
  .serialized,
  .enabled(if: ["ffmpeg", "ffprobe", "exiftool"].allSatisfy(Tool.exists), "no ffmpeg or no exiftool")
)
struct SoundToolsTests {
  static let tags = [
    "title": "CaNaRyTitle", "artist": "CaNaRyArtist", "copyright": "CaNaRyCopyright",
    "comment": "CaNaRyComment", "description": "CaNaRyComment", "date": "2026-11-21T01:44:39",
    "album": "CaNaRyAlbum", "encoded_by": "CaNaRyEncoder", "genre": "CaNaRyGenre",
  ]

  static let cases: [EncodedCase] = [
    ("cbr.mp3", "-b:a 128k -write_id3v1 1", MediaFormat.mp3), ("vbr.mp3", "-q:a 4", .mp3),
    ("id3v23.mp3", "-id3v2_version 3 -ac 1 -ar 22050", .mp3),
    ("low.mp3", "-ar 8000 -b:a 8k -ac 1", .mp3),
    ("plain.mp3", "-write_xing 0 -b:a 96k", .mp3), ("mp3.wav", "-c:a libmp3lame -b:a 128k", .wav),
    ("tagged.aac", "-c:a aac -write_id3v2 1", .aac),
    ("low.aac", "-c:a aac -ac 1 -ar 16000 -b:a 16k -write_id3v2 1", .aac),
    ("16.wav", "-c:a pcm_s16le", .wav),
    ("24.wav", "-c:a pcm_s24le -write_bext 1 -metadata originator=CaNaRyOrigin", .wav),
    ("float.wav", "-c:a pcm_f32le", .wav), ("8.wav", "-c:a pcm_u8 -ac 1", .wav),
    ("alaw.wav", "-c:a pcm_alaw", .wav), ("adpcm.wav", "-c:a adpcm_ms", .wav),
    ("ima.wav", "-c:a adpcm_ima_wav", .wav), ("six.wav", "-ac 6", .wav),
    ("rf64.wav", "-rf64 always", .wav),
    ("16.aiff", "-write_id3v2 1", .aiff), ("24.aiff", "-c:a pcm_s24be", .aiff),
    ("little.aiff", "-c:a pcm_s16le", .aiff), ("float.aiff", "-c:a pcm_f32be", .aiff),
    ("ima.aiff", "-c:a adpcm_ima_qt", .aiff), ("16.flac", "", .flac),
    ("24.flac", "-sample_fmt s32", .flac),
    ("six.flac", "-ac 6", .flac), ("vorbis.ogg", "-c:a libvorbis", .ogg),
    ("flac.ogg", "-c:a flac", .ogg),
    ("opus.opus", "-c:a libopus", .ogg),
    ("small.opus", "-c:a libopus -page_duration 20000 -b:a 16k", .ogg),
    ("six.opus", "-c:a libopus -ac 6", .ogg), ("speex.ogg", "-c:a libspeex -ar 16000 -ac 1", .ogg),
  ].map { EncodedCase($0, $1, $2) }

  /// Each container, codec and kind of header once; the others differ from these in numbers.
  private static let tried = chosen([
    "cbr.mp3", "plain.mp3", "mp3.wav", "tagged.aac", "24.wav", "adpcm.wav", "rf64.wav", "16.aiff",
    "ima.aiff", "16.flac", "vorbis.ogg", "flac.ogg", "small.opus", "speex.ogg",
  ])

  /// Each kind of tags once.
  private static let tagged = chosen([
    "cbr.mp3", "tagged.aac", "24.wav", "rf64.wav", "16.aiff", "16.flac", "vorbis.ogg", "flac.ogg",
    "small.opus", "speex.ogg",
  ])

  /// The cases of these names; every one in `make test-all`.
  private static func chosen(_ names: Set<String>) -> [EncodedCase] {
    Amount.isAll ? cases : cases.filter { names.contains($0.description) }
  }

  /// Two channels of a tone and noise, 1.3 s: no length is a whole number of frames. All are made
  /// once for all tests, by one run of ffmpeg, since it takes long to start.
  private static let sources: Result<TemporaryFolder, any Error> = Result {
    let folder = TemporaryFolder.untilExit()
    let audio = "aevalsrc=0.4*sin(440*2*PI*t)|0.2*random(0):d=1.3:s=44100"
    var arguments = ["-v", "error", "-f", "lavfi", "-i", audio]
    for wanted in tried {
      for (key, value) in tags { arguments += ["-metadata", "\(key)=\(value)"] }
      arguments += wanted.arguments + ["\(folder.path)/\(wanted.description)"]
    }
    let result = try Tool.run("ffmpeg", arguments)
    try #require(result.status == 0, "\(result.error.prefix(300))")
    return folder
  }

  static func make(_ wanted: EncodedCase) throws -> String {
    let folder = try sources.get()
    return "\(folder.path)/\(wanted.description)"
  }

  static func samples(_ path: String) throws -> String {
    let result = try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-f", "md5", "-"])
    return result.output + result.error.filter { $0 != "\n" }.prefix(0)
  }

  /// The samples of a case, decoded once for all tests.
  private static func samples(of wanted: EncodedCase) throws -> String {
    if let cached = decoded.withLock({ $0[wanted.description] }) { return cached }
    let samples = try samples(make(wanted))
    decoded.withLock { $0[wanted.description] = samples }
    return samples
  }

  private static let decoded = Mutex<[String: String]>([:])
  private static let isLater = Tool.hasLibrary("libavcodec", atLeast: "61")

  /// What exiftool and ffprobe may still say, by the end of its name.
  static let allowed: Set<String> = [
    "NumChannels", "SampleRate", "BitsPerSample", "AvgBytesPerSec", "Encoding", "NumSampleFrames",
    "SampleSize", "CompressionType", "CompressorName", "FormatVersionTime", "BlockSizeMin",
    "BlockSizeMax",
    "FrameSizeMin", "FrameSizeMax", "Channels", "TotalSamples", "MD5Signature", "MPEGAudioVersion",
    "AudioLayer", "AudioBitrate", "ChannelMode", "MSStereo", "IntensityStereo", "CopyrightFlag",
    "OriginalMedia", "Emphasis", "VBRFrames", "VBRBytes", "VBRScale", "Encoder", "LameVBRQuality",
    "LameQuality", "LameMethod", "LameLowPassFilter", "LameBitrate", "LameStereoMode",
    "VorbisVersion",
    "AudioChannels", "NominalBitrate", "MaximumBitrate", "MinimumBitrate", "Vendor", "OpusVersion",
    "OutputGain", "Duration", "WaveformatextensibleChannelMask", "SpeexVersion", "DataSize64",
    "ProfileType", "NumberOfSamples", "NumberOfSamples64", "RIFFSize64", "NumSamples64", "NumBits",
  ]

  /// Takes seconds: three programs look at each sound.
  @Test(
    "Nothing is left but what plays it, and each sample is the same",
    arguments: tried
  )
  func stripped(wanted: EncodedCase) throws {
    let folder = TemporaryFolder()
    let path = try Self.make(wanted)
    let bytes = try readBytes(path)
    #expect(format(of: bytes) == wanted.format)
    let (output, _) = try strip(bytes, wanted.format)
    let clean = "\(folder.path)/clean-\(wanted.description)"
    try Data(output).write(to: URL(fileURLWithPath: clean))
    let samples = try Self.samples(of: wanted)
    #expect(samples.hasPrefix("MD5="))
    #expect(try Self.samples(clean) == samples)
    #expect(Data(output).range(of: Data("CaNaRy".utf8)) == nil)
    let seen = try Tool.run("exiftool", ["-ee", "-U", "-G1", "-s", "-a", clean]).output
    for line in seen.split(separator: "\n") {
      let parts = line.split(separator: "]", maxSplits: 1)
      let group = parts.first.map { String($0.dropFirst()) } ?? ""
      guard !["System", "File", "ExifTool", "Composite"].contains(group) else { continue }
      let name = parts.last?.split(separator: ":").first?.filter { $0 != " " } ?? ""
      #expect(Self.allowed.contains(name), "\(line)")
    }
    let tags = try Tool.run(
      "ffprobe",
      ["-v", "warning", "-show_entries", "format_tags:stream_tags", "-of", "csv=p=0", clean]
    )
    #expect(
      tags.output.filter { $0.isLetter }.isEmpty
        || tags.output.split(separator: "\n").allSatisfy { $0 == "LAME3.100" || $0.isEmpty },
      "\(tags.output)"
    )
    if tags.error.isEmpty { return }
    let before = try Tool.run("ffprobe", ["-v", "warning", path]).error
    #expect(!before.isEmpty, "\(tags.error.prefix(300))")
  }

  @Test("What is kept is what another program reads", arguments: tagged)
  func kept(wanted: EncodedCase) throws {
    let folder = TemporaryFolder()
    let path = try Self.make(wanted)
    let everything = StripOptions(except: [.caption, .copyright, .creationDate])
    let bytes = try readBytes(path)
    let values = withSource(bytes) { audioTags(of: $0, wanted.format).merged }
    let (output, _) = try strip(bytes, wanted.format, everything)
    let clean = "\(folder.path)/kept-\(wanted.description)"
    try Data(output).write(to: URL(fileURLWithPath: clean))
    #expect(try Self.samples(clean) == Self.samples(of: wanted))
    #expect(values.title == "CaNaRyTitle")
    let tags = try Tool.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "format_tags:stream_tags", "-of", "default=nk=1", clean]
    ).output
    let wantedValues = [values.title, values.creator, values.copyright, values.caption]
    for value in wantedValues.compactMap({ $0 }) { #expect(tags.contains(value), "\(tags)") }
    if let date = values.creationDate { #expect(tags.contains(date.local), "\(tags)") }
    #expect(!tags.contains("CaNaRyAlbum") && !tags.contains("CaNaRyGenre"))
  }

  @Test("How long it is, is what ffprobe counts", arguments: tried)
  func durations(wanted: EncodedCase) throws {
    let folder = TemporaryFolder()
    let path = try Self.make(wanted)
    let facts = try facts(of: try readBytes(path))
    let pcm = "\(folder.path)/samples.raw"
    let track = try #require(facts.tracks.first)
    let rate = try #require(track.sampleRate)
    let decode = ["-v", "error", "-i", path, "-ac", "1", "-ar", "\(rate)", "-f", "s16le", pcm]
    #expect(try Tool.run("ffmpeg", decode).status == 0)
    let decoded = Double(try readBytes(pcm).count / 2) / Double(rate)
    let claimed = Double(try #require(facts.durationMilliseconds)) / 1000
    // A decoder of Speex, or of an MP3 in a WAV, gives its own delay too; ffmpeg 7 gives the rest of the last
    // block of an ADPCM, and twice the samples of one channel of Speex.
    let delayed = ["speex.ogg", "mp3.wav"] + (Self.isLater ? ["adpcm.wav", "ima.wav"] : [])
    let isDoubled = Self.isLater && wanted.description == "speex.ogg"
    let tolerance = delayed.contains(wanted.description) ? 0.03 : 0.002
    #expect(abs(decoded / (isDoubled ? 2 : 1) - claimed) < tolerance)
    #expect(track.kind == .audio && track.codec.count <= 32)
    let channels = try Tool.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "stream=channels,sample_rate", "-of", "csv=p=0", path]
    ).output
    #expect(channels.contains("\(rate),\(track.channelCount ?? 0)"))
  }
}
