import MediaModel

extension Stripper {
  /// The operations of each format that has an edit list.
  static let containers: [MediaFormat: any ContainerStripper.Type] = [
    .jpeg: JPEGStripper.self, .png: PNGStripper.self, .webp: WebPStripper.self,
    .gif: GIFStripper.self, .bmp: BMPStripper.self, .tiff: TIFFStripper.self,
    .dng: DNGStripper.self, .heic: HEIFStripper.self, .avif: HEIFStripper.self,
    .jp2: JP2Stripper.self, .j2k: J2KStripper.self, .jxl: JXLStripper.self,
    .qoi: QOIStripper.self,
    .mp4: MovieStripper.self, .mov: MovieStripper.self, .threeGP: MovieStripper.self,
    .m4a: MovieStripper.self, .threeGA: MovieStripper.self,
    .mkv: MatroskaStripper.self, .webm: MatroskaStripper.self, .mka: MatroskaStripper.self,
    .weba: MatroskaStripper.self, .avi: AVIStripper.self, .dv: DVStripper.self,
    .mp3: MP3Stripper.self, .aac: AACStripper.self, .wav: WAVStripper.self,
    .aiff: AIFFStripper.self, .flac: FLACStripper.self, .ogg: OggStripper.self,
  ]

  /// The formats that are parsed and have no edit list, with what a person reads.
  static let refusals: [MediaFormat: String] = [
    .ogv: "Ogg with video; export it as WebM or MKV",
    // Tables, private streams and SEI of every packet may hold date, place and names.
    .ts: "a transport stream; export it as MP4 or MKV",
    .m2ts: "a transport stream; export it as MP4 or MKV",
    // So may their private streams and user data, and scripts between tags.
    .mpg: "an MPEG program stream; export it as MP4 or MKV",
    .m2v: "an MPEG video stream; export it as MP4 or MKV",
    .flv: "a Flash Video; export it as MP4 or MKV",
  ]
}
