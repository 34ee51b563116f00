-- Records of a few kilobytes stay in their row as they are: compressing each costs more than the disk it saves.
ALTER TABLE "trials" SET (toast_tuple_target = 8160);
